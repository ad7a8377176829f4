//! Runs one statement.

use std::error::Error as _;

use tokio_postgres::error::SqlState;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Error, Row};

use crate::database::TextRow;

/// Prefixes of the SQLSTATE codes of temporary errors: connection errors (08), aborted transactions (40) and shutdown
/// (57P).
const RETRY_CLASSES: [&str; 3] = ["08", "40", "57P"];

/// Runs a statement. All values and all columns of the result are text.
pub(super) async fn run_statement(
    client: &Client,
    sql: &str,
    values: &[String],
) -> Result<Vec<TextRow>, Error> {
    let typed_values: Vec<(&(dyn ToSql + Sync), Type)> = values
        .iter()
        .map(|value| (value as &(dyn ToSql + Sync), Type::TEXT))
        .collect();

    let rows = client.query_typed(sql, &typed_values).await?;
    rows.iter().map(text_row).collect()
}

fn text_row(row: &Row) -> Result<TextRow, Error> {
    let mut columns = Vec::with_capacity(row.len());
    for index in 0..row.len() {
        let value: Option<String> = row.try_get(index)?;
        columns.push(value.unwrap_or_default());
    }
    Ok(TextRow(columns))
}

/// Returns true if the connection is lost or the database reports a temporary error. Then the same statement may
/// succeed later.
pub(super) fn is_connection_lost(error: &Error) -> bool {
    if error.as_db_error().is_none() {
        return true;
    }
    let code = error.code().map_or("", SqlState::code);
    RETRY_CLASSES.iter().any(|class| code.starts_with(class))
}

/// Returns the message of the database. For other errors, returns the message of their cause.
pub(super) fn describe_error(error: &Error) -> String {
    if let Some(database_error) = error.as_db_error() {
        return database_error.message().to_owned();
    }
    match error.source() {
        Some(source) => source.to_string(),
        None => error.to_string(),
    }
}
