//! What a whole run costs beside its sessions: the random sessions of a run on a program, generated,
//! played and judged, against the same sessions played again and nothing else, by one worker.
//!
//! `cargo run --release -p tacit-suite --example whole_run -- PROFILE CASES COMMAND…`

use std::error::Error;
use std::rc::Rc;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tacit_contract::protocol::Description;
use tacit_contract::runtime::{PortFuture, RuntimeError};
use tacit_contract::{ClauseId, Level, Profile, Session, Trace};
use tacit_stage::{Program, Settings, Stage, Stdio};
use tacit_steps::port::{Play, Properties};
use tacit_suite::property::properties;
use tacit_suite::theatre::Theatre;
use tacit_suite::{Config, Own, Subject};

/// What was asked of the stage, in order.
#[derive(Clone)]
enum Asked {
    Play(Box<Session>),
    Fresh,
}

/// A stage that keeps what is asked of it.
struct Kept {
    stage: Stage<Stdio>,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Kept {
    fn keep(&self, asked: Asked) {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(asked);
    }
}

impl Theatre for Kept {
    fn play<'a>(&'a self, session: &'a Session) -> PortFuture<'a, Result<Trace, RuntimeError>> {
        self.keep(Asked::Play(Box::new(session.clone())));
        Theatre::play(&self.stage, session)
    }

    fn port(&self, runtime: Description, properties: Rc<dyn Properties>) -> Rc<dyn Play> {
        self.stage.port(runtime, properties)
    }

    fn describe(&self) -> PortFuture<'_, Result<Description, RuntimeError>> {
        Theatre::describe(&self.stage)
    }

    fn fresh(&self) -> PortFuture<'_, ()> {
        self.keep(Asked::Fresh);
        Theatre::fresh(&self.stage)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [profile, cases, command @ ..] = arguments.as_slice() else {
        return Err("expected PROFILE CASES COMMAND…".into());
    };
    let profile = match std::fs::read_to_string(profile) {
        Ok(text) => Profile::parse(&text)?,
        Err(_) => Profile::named(profile)?,
    };
    let program = Program::new(command);
    let asked = Arc::new(Mutex::new(Vec::new()));
    let own = {
        let (program, asked) = (program.clone(), Arc::clone(&asked));
        Own::on(move |_, settings| {
            let stage = Stage::new(Stdio::new(program.clone()), settings);
            Box::new(Kept { stage, asked: Arc::clone(&asked) })
        })
    };
    let properties = properties().map(|property| format!("@property:{}", property.id()));
    let properties = properties.collect::<Vec<_>>().join(" or ");
    let corpus = tempfile::tempdir()?;
    let config = Config {
        cases: cases.parse()?,
        seed: 1,
        allow_unexercised: true,
        // The scenarios of properties play nothing of their own, and bring these along.
        tags: Some(properties),
        // A hunt plays one session over and over: what it costs says nothing of a run that passes.
        clauses: claimed(&profile),
        corpus: corpus.path().to_owned(),
        ..Config::new(Subject::Own(own), command.join(" "), profile.clone())
    };
    let begun = Instant::now();
    let exit = tacit_suite::run(config, &AtomicBool::new(false), &mut |_| {})?;
    let whole = begun.elapsed();
    let asked = asked.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let bare = bare(&program, &profile, &asked)?;
    let sessions = asked.iter().filter(|asked| matches!(asked, Asked::Play(_))).count();
    println!(
        "{sessions} sessions: in the run {:.2} s (exit code {}), the sessions alone {:.2} s, ratio {:.2}",
        whole.as_secs_f64(),
        exit.code(),
        bare.as_secs_f64(),
        whole.as_secs_f64() / bare.as_secs_f64()
    );
    Ok(())
}

/// The `must` clauses that a profile claims.
fn claimed(profile: &Profile) -> Vec<ClauseId> {
    let must = profile.claimed().filter(|clause| clause.level == Level::Must);
    must.map(|clause| clause.id.clone()).collect()
}

/// Plays it all again on a new process, and looks at nothing.
fn bare(program: &Program, profile: &Profile, asked: &[Asked]) -> Result<Duration, Box<dyn Error>> {
    let clock = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let local = tokio::task::LocalSet::new();
    let stage = Stage::new(Stdio::new(program.clone()), Settings::new(profile.clone()));
    let begun = Instant::now();
    clock.block_on(local.run_until(async {
        for asked in asked {
            match asked {
                Asked::Play(session) => drop(stage.play(session).await?),
                Asked::Fresh => stage.fresh().await,
            }
        }
        Ok::<(), RuntimeError>(())
    }))?;
    Ok(begun.elapsed())
}
