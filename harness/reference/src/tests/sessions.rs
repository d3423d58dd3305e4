//! Several sessions in one runtime.

use tacit_contract::protocol::{Opening, Stop};
use tacit_contract::runtime::{Runtime, RuntimeError};

use super::{Next, Play, core, core_and, search, wait};

#[test]
fn sessions_share_nothing() {
    let play = Play::new();
    play.search("Skill");
    let other = Opening { session_id: "t".into(), ..play.opening.clone() };
    wait(play.runtime.open(other, play.ports())).unwrap();
    wait(play.runtime.prompt(&"t".into(), "hi")).unwrap();
    assert_eq!(play.world.last_tools(), core());
}

#[test]
fn prompts_of_two_sessions_may_be_pending_at_once_and_two_of_one_may_not() {
    let play = Play::new();
    let other = Opening { session_id: "t".into(), ..play.opening.clone() };
    wait(play.runtime.open(other, play.ports())).unwrap();
    play.script(vec![Next::Hangs, Next::Calls(vec![search("c", "Skill")]), Next::Says("done")]);
    wait(async {
        let (s, t) = ("s".into(), "t".into());
        let (first, second) = tokio::join!(play.runtime.prompt(&s, "a"), async {
            let second = play.runtime.prompt(&t, "b").await;
            assert_eq!(play.runtime.prompt(&s, "c").await, Err(RuntimeError::Busy));
            play.runtime.abort(&s).await.unwrap();
            second
        });
        assert_eq!(first.unwrap().stop, Stop::Aborted);
        assert_eq!(second.unwrap().stop, Stop::End);
    });
    assert_eq!(play.world.last_tools(), core_and(&["Skill"]));
}

#[test]
fn opening_the_id_of_an_open_session_replaces_it() {
    let mut play = Play::new();
    play.prompt("a", vec![]);
    let early = play.saved();
    play.search("Skill");
    play.opening.state = Some(early);
    play.open();
    play.prompt("b", vec![]);
    assert_eq!(play.world.last_tools(), core());
    assert_eq!(
        play.world.requests.borrow().last().unwrap()["messages"].as_array().unwrap().len(),
        4
    );
}

#[test]
fn a_session_that_is_closed_is_not_known_and_a_strange_state_is_refused() {
    let mut play = Play::new();
    wait(play.runtime.close(&"s".into())).unwrap();
    let unknown = wait(play.runtime.prompt(&"s".into(), "a"));
    assert!(matches!(unknown, Err(RuntimeError::UnknownSession { .. })));
    play.opening.state = Some(serde_json::json!({"version": 9, "rows": []}));
    let refused = wait(play.runtime.open(play.opening.clone(), play.ports()));
    assert!(matches!(refused, Err(RuntimeError::Refused { .. })));
}
