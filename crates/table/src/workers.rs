//! Threads for long work on a journal: searching, counting, verifying and exporting.

use std::sync::{LazyLock, mpsc};
use std::thread;

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use tableside_store::{Block, Reader, StoreError};

/// A pool with one thread for each core.
///
/// Rayon's global pool is not used, because it computes odds: a roll locks its table until its odds are known. If a
/// search waited for the table on a global thread, that thread could not compute the odds.
static THREADS: LazyLock<ThreadPool> = LazyLock::new(|| {
    ThreadPoolBuilder::new()
        .thread_name(|index| format!("journal-{index}"))
        .build()
        .expect("the system can start threads")
});

/// Runs jobs on all threads and returns their results in the order of the jobs.
pub(super) fn run_all<J, T>(jobs: Vec<J>) -> Vec<T>
where
    J: FnOnce() -> T + Send,
    T: Send,
{
    THREADS.install(|| jobs.into_par_iter().map(|job| job()).collect())
}

/// Maps the files of a journal on all threads, and passes the results to `take` in the order of the files.
///
/// The files are mapped in batches of two for each thread. While `take` gets the results of a batch, the next batch is
/// mapped, so that the threads need not wait for slow output. At most three batches are in memory.
pub(super) fn map_files<T, E>(
    reader: &Reader,
    map: impl Fn(Block) -> T + Sync,
    mut take: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E>
where
    T: Send,
    E: From<StoreError>,
{
    let files = reader.files()?;
    let batch_size = 2 * THREADS.current_num_threads();
    let load_and_map = |file: &u64| reader.load(*file).map(&map);
    let map_batch = |batch: &[u64]| -> Vec<Result<T, StoreError>> {
        THREADS.install(|| batch.par_iter().map(load_and_map).collect())
    };
    if files.len() <= batch_size {
        return map_batch(&files)
            .into_iter()
            .try_for_each(|result| take(result?));
    }

    let (mapped, results) = mpsc::sync_channel(1);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mapped = mapped;
            for batch in files.chunks(batch_size) {
                // After an error, the receiver no longer exists.
                if mapped.send(map_batch(batch)).is_err() {
                    break;
                }
            }
        });
        results
            .into_iter()
            .flatten()
            .try_for_each(|result| take(result?))
    })
}
