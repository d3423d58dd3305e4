//! Workers: threads that play cases side by side, each on a bench of its own.
//!
//! Jobs are numbered and their results come back in the order of their numbers: how many workers
//! there are, and which of them plays what, changes nothing that is found.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use crate::bench::Bench;
use crate::config::Config;

type Job = Box<dyn FnOnce(&Bench) + Send>;

/// A job that comes to something.
pub type Task<T> = Box<dyn FnOnce(&Bench) -> T + Send>;

/// The workers of a run.
pub struct Pool {
    jobs: Option<Sender<Job>>,
    threads: Vec<JoinHandle<()>>,
}

impl Pool {
    /// As many workers as the run asks for, one at the least.
    #[must_use]
    pub fn new(config: &Arc<Config>) -> Self {
        let (jobs, queue) = channel::<Job>();
        let queue = Arc::new(Mutex::new(queue));
        let threads = (0..config.jobs.max(1))
            .map(|_| {
                let (config, queue) = (Arc::clone(config), Arc::clone(&queue));
                std::thread::spawn(move || work(&config, &queue))
            })
            .collect();
        Self { jobs: Some(jobs), threads }
    }

    /// Does every job and gives back what each came to, in the order of the jobs. A job that
    /// panics comes to nothing, which is the harness's own fault.
    pub fn all<T: Send + 'static>(
        &self,
        jobs: impl IntoIterator<Item = Task<T>>,
    ) -> Vec<Option<T>> {
        let (done, results) = channel();
        let mut count = 0;
        for (number, job) in jobs.into_iter().enumerate() {
            let done = done.clone();
            count += 1;
            let job: Job = Box::new(move |bench| {
                let result = job(bench);
                // The receiver is gone only when the run is over.
                let _ = done.send((number, result));
            });
            if let Some(jobs) = &self.jobs
                && jobs.send(job).is_err()
            {
                break;
            }
        }
        drop(done);
        let mut all: Vec<Option<T>> = std::iter::repeat_with(|| None).take(count).collect();
        while let Ok((number, result)) = results.recv() {
            all[number] = Some(result);
        }
        all
    }

    /// Does one job.
    pub fn one<T: Send + 'static>(
        &self,
        job: impl FnOnce(&Bench) -> T + Send + 'static,
    ) -> Option<T> {
        let job: Task<T> = Box::new(job);
        self.all([job]).into_iter().next().flatten()
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.jobs = None;
        for thread in self.threads.drain(..) {
            // A worker that panicked has said so already.
            let _ = thread.join();
        }
    }
}

fn work(config: &Arc<Config>, queue: &Mutex<Receiver<Job>>) {
    let Ok(bench) = Bench::new(Arc::clone(config)) else { return };
    loop {
        let job = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = job else { return };
        // One job that panics must not take the worker with it: the others are still to do.
        let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| job(&bench)));
    }
}
