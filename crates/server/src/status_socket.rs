//! The status of a host for `tableside host --status`, through a socket in a folder that only its owner can enter.

use std::fs;
use std::io::{ErrorKind, Read as _};
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::{Arc, Weak};
use std::time::Duration;

use serde_json::Value as Json;
use tokio::io::AsyncWriteExt as _;
use tokio::runtime::Runtime;

use super::game_host::GameHost;
use tableside_table::RequestError;
use tableside_table::ipc::at_socket;

/// The socket's name in the host's folder.
const SOCKET: &str = "status.socket";

/// How long an answer is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

/// Answers calls until the runtime ends.
pub(super) fn open(runtime: &Runtime, host: &Arc<GameHost>) -> Result<(), RequestError> {
    let _inside = runtime.enter();
    let listen = || {
        let path = host.folder().join(SOCKET);
        // The folder may not exist yet if the games are in a database.
        let mut folder = fs::DirBuilder::new();
        folder.recursive(true).mode(0o700).create(host.folder())?;
        // Only one host is open in a folder, so an existing socket is left over from an earlier process.
        match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let listener = at_socket(host.folder(), SOCKET, |path| UnixListener::bind(path))?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600))?;
        listener.set_nonblocking(true)?;
        tokio::net::UnixListener::from_std(listener)
    };
    let listener = listen().map_err(|error| {
        RequestError::failed(format!("cannot listen at {SOCKET} of the host: {error}"))
    })?;
    runtime.spawn(answer(listener, Arc::downgrade(host)));
    Ok(())
}

async fn answer(listener: tokio::net::UnixListener, host: Weak<GameHost>) {
    loop {
        let Ok((mut caller, _)) = listener.accept().await else {
            // No descriptor is left for it now.
            tokio::time::sleep(PATIENCE).await;
            continue;
        };
        let status = host.upgrade().map(|host| host.status());
        let told = status.unwrap_or_default().to_string();
        // Who does not read hears nothing.
        let sent = tokio::time::timeout(PATIENCE, caller.write_all(told.as_bytes()));
        drop(sent.await);
    }
}

/// Asks the process that runs the host in a folder for its status.
pub fn host_status(folder: &Path) -> Result<Json, RequestError> {
    let ask = || {
        let mut stream = at_socket(folder, SOCKET, |path| UnixStream::connect(path))?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let mut told = String::new();
        stream.read_to_string(&mut told)?;
        Ok(serde_json::from_str(&told)?)
    };
    ask().map_err(|error: std::io::Error| RequestError {
        hint: Some("`tableside host` opens it".to_owned()),
        ..RequestError::failed(format!("no host is open in {}: {error}", folder.display()))
    })
}
