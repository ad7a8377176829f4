//! Runs the program of a hook.

use std::io::{self, Seek as _, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::message::shorten;
use tableside_table::HookEvent;
use tableside_text::escape_json;

/// A program that takes longer is killed.
const PATIENCE: Duration = Duration::from_secs(10);

/// How often it is checked whether a program has ended.
const PAUSE: Duration = Duration::from_millis(20);

/// A program with its process group. Dropping it kills the group.
struct RunningProgram {
    child: Child,
}

impl RunningProgram {
    /// True if the program itself has ended. It is not reaped yet, so the number of its group is not reused.
    fn has_ended(&self) -> io::Result<bool> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let id = WaitId::Pid(Pid::from_child(&self.child));
        Ok(waitid(id, options)?.is_some())
    }

    /// Kills the whole group, and reaps the program.
    fn end(&mut self) -> io::Result<std::process::ExitStatus> {
        // This fails only if every process of the group has ended.
        kill_process_group(Pid::from_child(&self.child), Signal::KILL).ok();
        self.child.wait()
    }
}

impl Drop for RunningProgram {
    fn drop(&mut self) {
        // This fails only if the program was reaped before.
        self.end().ok();
    }
}

/// Runs a program without a shell, with the text in its arguments and the entry on its standard input. The whole process
/// group is killed when the program ends, after [`PATIENCE`], or at the time that `closing` returns.
pub(super) fn execute(
    run: &[String],
    news: &HookEvent,
    closing: &dyn Fn() -> Option<Instant>,
) -> Result<(), String> {
    let text = shorten(&news.text);
    let mut words = Vec::new();
    for part in run {
        let is_text = part.starts_with("{text}");
        let word = part.replace("{text}", &text);
        match word.strip_prefix('-') {
            // A name is no option.
            Some(rest) if is_text => words.push(format!("−{rest}")),
            _ => words.push(word),
        }
    }

    let (program, args) = words.split_first().ok_or("it names no program")?;
    let failed = |error: io::Error| error.to_string();
    // A file, because a program that does not read would fill a pipe.
    let mut input = tempfile::tempfile().map_err(failed)?;
    writeln!(input, "{}", escape_json(&news.json.to_string())).map_err(failed)?;
    input.rewind().map_err(failed)?;

    let mut command = Command::new(program);
    command.args(args).process_group(0).stdin(input);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let child = command.spawn().map_err(failed)?;
    let mut running = RunningProgram { child };

    let own_end = Instant::now() + PATIENCE;
    while !running.has_ended().map_err(failed)? {
        let now = Instant::now();
        if now >= own_end {
            return Err(format!("it took longer than {PATIENCE:?}"));
        }
        if closing().is_some_and(|end| now >= end) {
            return Err("it had not ended when the table closed".to_owned());
        }
        thread::sleep(PAUSE);
    }

    let status = running.end().map_err(failed)?;
    if !status.success() {
        return Err(format!("it ended with {status}"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn words_are_no_options_and_no_shell_reads_them() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("out");
        let news = HookEvent {
            on: "roll",
            text: "--help; $(touch x) `x`".to_owned(),
            json: json!({"text": "a"}),
        };
        let script = "printf %s \"$1\" > \"$2\"; cat >> \"$2\"";
        let run = ["sh", "-c", script, "sh", "{text}", file.to_str().unwrap()];
        execute(&run.map(str::to_owned), &news, &|| None).unwrap();
        let out = std::fs::read_to_string(&file).unwrap();
        assert_eq!(out, "−-help; $(touch x) `x`{\"text\":\"a\"}\n");
        let fails = execute(&["false".to_owned()], &news, &|| None).unwrap_err();
        assert_eq!(fails, "it ended with exit status: 1");
    }
}
