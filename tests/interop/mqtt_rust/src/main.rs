//! What rumqttc does with a broker, as JSON: `told PORT LEVEL PREFIX`.

use serde_json::{json, Value};
use std::sync::mpsc::{channel, Receiver, Sender};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(60);

/// A client of one version of the protocol.
trait Client {
    fn subscribe(&self, filter: String, qos: usize);
    fn publish(&self, topic: String, payload: &str, qos: usize, retain: bool);
    fn disconnect(&self);
}

/// How a client connects; one with a will vanishes as soon as it is connected.
struct Asked {
    port: u16,
    name: String,
    clean: bool,
    will: Option<String>,
    heard: Sender<Value>,
}

/// A client, of the types that the module has: those of the two versions have the same names.
macro_rules! client {
    () => {
        use super::{Asked, PATIENCE};
        use serde_json::json;
        use std::sync::mpsc::{channel, Receiver};

        const LEVELS: [QoS; 3] = [QoS::AtMostOnce, QoS::AtLeastOnce, QoS::ExactlyOnce];

        pub struct Own {
            client: Client,
            answers: Receiver<()>,
        }

        impl Own {
            pub fn open(asked: Asked) -> Own {
                let mut options = MqttOptions::new(asked.name, "127.0.0.1", asked.port);
                begin(&mut options, asked.clean);
                let vanishes = asked.will.is_some();
                if let Some(topic) = asked.will {
                    options.set_last_will(will(topic));
                }
                let (client, mut connection) = Client::new(options, 100);
                let (answered, answers) = channel();
                std::thread::spawn(move || {
                    for event in connection.iter() {
                        let Ok(event) = event else { return };
                        match event {
                            Event::Incoming(Incoming::Publish(each)) => {
                                let payload = String::from_utf8_lossy(&each.payload);
                                let told = json!([text(&each.topic), payload, each.retain]);
                                asked.heard.send(told).unwrap();
                            }
                            Event::Incoming(
                                Incoming::ConnAck(_)
                                | Incoming::SubAck(_)
                                | Incoming::PubAck(_)
                                | Incoming::PubComp(_),
                            ) => {
                                answered.send(()).unwrap();
                                if vanishes {
                                    return;
                                }
                            }
                            _ => {}
                        }
                    }
                });
                answers.recv_timeout(PATIENCE).unwrap();
                Own { client, answers }
            }
        }

        impl super::Client for Own {
            fn subscribe(&self, filter: String, qos: usize) {
                self.client.subscribe(filter, LEVELS[qos]).unwrap();
                self.answers.recv_timeout(PATIENCE).unwrap();
            }

            fn publish(&self, topic: String, payload: &str, qos: usize, retain: bool) {
                self.client.publish(topic, LEVELS[qos], retain, payload.to_owned()).unwrap();
                if qos > 0 {
                    self.answers.recv_timeout(PATIENCE).unwrap();
                }
            }

            fn disconnect(&self) {
                self.client.disconnect().unwrap();
            }
        }
    };
}

mod client4 {
    use rumqttc::{Client, Event, Incoming, LastWill, MqttOptions, QoS};

    fn begin(options: &mut MqttOptions, clean: bool) {
        options.set_clean_session(clean);
    }

    fn will(topic: String) -> LastWill {
        LastWill::new(topic, "abruptly", QoS::AtLeastOnce, false)
    }

    fn text(topic: &str) -> &str {
        topic
    }

    client!();
}

mod client5 {
    use rumqttc::v5::mqttbytes::v5::{ConnectProperties, LastWill};
    use rumqttc::v5::mqttbytes::QoS;
    use rumqttc::v5::{Client, Event, Incoming, MqttOptions};

    fn begin(options: &mut MqttOptions, clean: bool) {
        let mut properties = ConnectProperties::new();
        properties.session_expiry_interval = Some(if clean { 0 } else { 60 });
        options.set_clean_start(clean);
        options.set_connect_properties(properties);
    }

    fn will(topic: String) -> LastWill {
        LastWill::new(topic, "abruptly", QoS::AtLeastOnce, false, None)
    }

    fn text(topic: &[u8]) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(topic)
    }

    client!();
}

/// As many messages as are to come, by their topics.
fn all(count: usize, heard: &Receiver<Value>, prefix: &str) -> Vec<Value> {
    let mut found: Vec<Value> = (0..count)
        .map(|_| {
            let mut told = heard.recv_timeout(PATIENCE).expect("too few messages");
            told[0] = json!(told[0].as_str().unwrap().strip_prefix(prefix));
            told
        })
        .collect();
    found.sort_by_key(|each| each[0].to_string());
    found
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let port: u16 = arguments[1].parse().unwrap();
    let is_5 = arguments[2] == "5";
    let prefix = &arguments[3];
    let named = |text: &str| format!("{prefix}{text}");
    let make = |name: &str, clean: bool, will: Option<String>, heard: &Sender<Value>| {
        let asked = Asked { port, name: named(name), clean, will, heard: heard.clone() };
        let made: Box<dyn Client> =
            if is_5 { Box::new(client5::Own::open(asked)) } else { Box::new(client4::Own::open(asked)) };
        made
    };
    let (nobody, _kept) = channel();
    let publisher = make("publisher", true, None, &nobody);
    let (round, heard_round) = channel();
    let reader = make("reader", true, None, &round);
    reader.subscribe(named("round/#"), 2);
    for (qos, word) in ["zero", "one", "two"].iter().enumerate() {
        publisher.publish(named(&format!("round/{qos}")), word, qos, false);
    }
    let told_round = all(3, &heard_round, prefix);
    publisher.publish(named("kept/a"), "value", 1, true);
    let (kept, heard_kept) = channel();
    let late = make("late", true, None, &kept);
    late.subscribe(named("kept/+"), 1);
    let told_kept = all(1, &heard_kept, prefix);
    let (later, heard_later) = channel();
    let sleeper = make("sleeper", false, None, &later);
    sleeper.subscribe(named("later/#"), 1);
    sleeper.disconnect();
    publisher.publish(named("later/x"), "while away", 1, false);
    let sleeper = make("sleeper", false, None, &later);
    let told_later = all(1, &heard_later, prefix);
    let (gone, heard_gone) = channel();
    let watcher = make("watcher", true, None, &gone);
    watcher.subscribe(named("gone"), 1);
    make("doomed", true, Some(named("gone")), &nobody);
    let told_gone = all(1, &heard_gone, prefix);
    let (work, heard_work) = channel();
    let members: Vec<Box<dyn Client>> =
        ["first", "second"].iter().map(|name| make(name, true, None, &work)).collect();
    for member in &members {
        member.subscribe(format!("$share/group/{prefix}work/#"), 1);
    }
    for number in 0..4 {
        publisher.publish(named(&format!("work/{number}")), "do", 1, false);
    }
    let told_work = all(4, &heard_work, prefix);
    for each in members.iter().chain([&publisher, &reader, &late, &sleeper, &watcher]) {
        each.disconnect();
    }
    println!(
        "{}",
        json!({
            "round": told_round, "retained": told_kept, "offline": told_later, "will": told_gone,
            "shared": told_work,
        })
    );
}
