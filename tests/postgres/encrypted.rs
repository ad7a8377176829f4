//! Connections that are encrypted, to a server that proves who it is.

use std::fs;
use std::net::TcpListener;
use std::process::Command;

use tableside::store_postgres;

use crate::server::Server;

/// A certificate as Debian makes one for its PostgreSQL: signed by itself, for one name.
const CERTIFICATE: &str = "\
[req]
distinguished_name = name
x509_extensions = more
prompt = no
[name]
commonName = localhost
[more]
basicConstraints = CA:FALSE
subjectAltName = DNS:localhost
";

/// What opening a database at that address leads to.
fn open(url: &str) -> String {
    match store_postgres::open(url) {
        Ok(_) => "open".to_owned(),
        Err(refused) => refused.to_string(),
    }
}

#[test]
fn a_connection_is_encrypted_to_the_server_that_is_meant_and_to_no_other() {
    let Some(server) = Server::start() else {
        return;
    };
    server.crash();
    let certificate = server.folder().join("database.pem");
    let key = server.folder().join("data/server.key");
    let config = server.folder().join("config");
    fs::write(&config, CERTIFICATE).unwrap();
    let made = Command::new("openssl")
        .args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-config"])
        .arg(&config)
        .arg("-out")
        .arg(&certificate)
        .arg("-keyout")
        .arg(&key)
        .output();
    assert!(made.unwrap().status.success());
    Server::own(&key);
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr();
    let port = port.unwrap().port();
    let certificate = certificate.to_str().unwrap();
    let by_tcp = format!("-c listen_addresses=127.0.0.1 -c port={port}");
    let at = |host: &str, options: &str| {
        open(&format!("postgres://gm@{host}:{port}/postgres?{options}"))
    };
    let believed = format!("sslrootcert={certificate}");

    server.begin_with(&by_tcp);
    assert_eq!(at("localhost", "sslmode=prefer"), "open");
    for options in [&believed, &format!("{believed}&sslmode=prefer")] {
        let said = at("localhost", options);
        assert!(said.ends_with("server does not support TLS"), "{said}");
    }
    server.crash();

    server.begin_with(&format!(
        "{by_tcp} -c ssl=on -c ssl_cert_file={certificate}"
    ));
    let url = format!("host=localhost port={port} user=gm dbname=postgres {believed}");
    let node = store_postgres::open(&url).unwrap();
    assert_eq!(at("localhost", &believed), "open");
    let plain =
        "select count(*) filter (where not ssl) from pg_stat_ssl join pg_stat_activity using (pid)
        where application_name = 'tableside'";
    assert_eq!(server.sql_at(port, plain), "0\n");
    drop(node);
    let file = config.display();
    for (host, options, why) in [
        ("127.0.0.1", believed, "not valid for name \"127.0.0.1\""),
        ("localhost", "sslmode=require".to_owned(), "UnknownIssuer"),
        (
            "localhost",
            "sslmode=verify-full".to_owned(),
            "UnknownIssuer",
        ),
        (
            "localhost",
            format!("sslrootcert={file}"),
            "contains no certificate",
        ),
        (
            "localhost",
            "sslrootcert=/nowhere".to_owned(),
            "/nowhere cannot be read",
        ),
        (
            "localhost",
            "sslmode=verify-ca".to_owned(),
            "option `sslmode`",
        ),
    ] {
        let said = at(host, &options);
        assert!(said.contains(why), "{options}: {said}");
    }
}
