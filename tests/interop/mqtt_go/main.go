// What Eclipse Paho's clients for Go do with a broker, as JSON: told PORT LEVEL PREFIX.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strings"
	"time"
)

const patience = 60 * time.Second

// A message that came: its topic, its payload and whether it is retained.
type message [3]any

// A client of one version of the protocol.
type client interface {
	// Connects; a session that is not clean lasts for a minute.
	connect(clean bool) error
	subscribe(filter string, qos byte) error
	publish(topic, payload string, qos byte, retain bool) error
	disconnect() error
	// Ends the connection so that the will is published.
	die() error
}

var address, prefix, level = "127.0.0.1:" + os.Args[1], os.Args[3], os.Args[2]

func made(name, willTopic string, heard chan message) client {
	if level == "5" {
		return newClient5(prefix+name, willTopic, heard)
	}
	return newClient3(prefix+name, willTopic, heard)
}

func opened(name string, clean bool, heard chan message) client {
	made := made(name, "", heard)
	must(made.connect(clean))
	return made
}

func must(fault error) {
	if fault != nil {
		panic(fault)
	}
}

// As many messages as are to come, by their topics.
func all(count int, heard chan message) []message {
	found := []message{}
	for len(found) < count {
		select {
		case each := <-heard:
			each[0] = strings.TrimPrefix(each[0].(string), prefix)
			found = append(found, each)
		case <-time.After(patience):
			panic(fmt.Sprintf("too few messages: %v", found))
		}
	}
	sort.Slice(found, func(one, other int) bool { return found[one][0].(string) < found[other][0].(string) })
	return found
}

func channel() chan message {
	return make(chan message, 100)
}

func main() {
	told := map[string][]message{}
	publisher := opened("publisher", true, channel())
	publish := func(topic, payload string, qos byte, retain bool) {
		must(publisher.publish(prefix+topic, payload, qos, retain))
	}
	round := channel()
	reader := opened("reader", true, round)
	must(reader.subscribe(prefix+"round/#", 2))
	for qos, word := range []string{"zero", "one", "two"} {
		publish(fmt.Sprintf("round/%d", qos), word, byte(qos), false)
	}
	told["round"] = all(3, round)
	publish("kept/a", "value", 1, true)
	kept := channel()
	late := opened("late", true, kept)
	must(late.subscribe(prefix+"kept/+", 1))
	told["retained"] = all(1, kept)
	later := channel()
	sleeper := opened("sleeper", false, later)
	must(sleeper.subscribe(prefix+"later/#", 1))
	must(sleeper.disconnect())
	publish("later/x", "while away", 1, false)
	sleeper = opened("sleeper", false, later)
	told["offline"] = all(1, later)
	gone := channel()
	watcher := opened("watcher", true, gone)
	must(watcher.subscribe(prefix+"gone", 1))
	doomed := made("doomed", prefix+"gone", channel())
	must(doomed.connect(true))
	must(doomed.die())
	told["will"] = all(1, gone)
	work := channel()
	members := []client{opened("first", true, work), opened("second", true, work)}
	for _, member := range members {
		must(member.subscribe("$share/group/"+prefix+"work/#", 1))
	}
	for number := range 4 {
		publish(fmt.Sprintf("work/%d", number), "do", 1, false)
	}
	told["shared"] = all(4, work)
	for _, each := range append(members, publisher, reader, late, sleeper, watcher) {
		must(each.disconnect())
	}
	must(json.NewEncoder(os.Stdout).Encode(told))
}
