package main

import (
	"errors"
	"net"
	"net/url"
	"strconv"

	mqtt "github.com/eclipse/paho.mqtt.golang"
)

// Paho's client of MQTT 3.1 and 3.1.1.
type client3 struct {
	options    *mqtt.ClientOptions
	client     mqtt.Client
	connection net.Conn
}

func newClient3(name, willTopic string, heard chan message) *client3 {
	made := &client3{options: mqtt.NewClientOptions()}
	version, fault := strconv.ParseUint(level, 10, 8)
	must(fault)
	made.options.AddBroker("tcp://" + address).SetClientID(name).SetProtocolVersion(uint(version))
	made.options.SetAutoReconnect(false).SetOrderMatters(true)
	made.options.SetDefaultPublishHandler(func(_ mqtt.Client, each mqtt.Message) {
		heard <- message{each.Topic(), string(each.Payload()), each.Retained()}
	})
	made.options.SetCustomOpenConnectionFn(func(*url.URL, mqtt.ClientOptions) (net.Conn, error) {
		var fault error
		made.connection, fault = net.Dial("tcp", address)
		return made.connection, fault
	})
	if willTopic != "" {
		made.options.SetWill(willTopic, "abruptly", 1, false)
	}
	return made
}

func done(token mqtt.Token) error {
	if !token.WaitTimeout(patience) {
		return errors.New("no answer")
	}
	return token.Error()
}

func (own *client3) connect(clean bool) error {
	own.client = mqtt.NewClient(own.options.SetCleanSession(clean))
	return done(own.client.Connect())
}

func (own *client3) subscribe(filter string, qos byte) error {
	return done(own.client.Subscribe(filter, qos, nil))
}

func (own *client3) publish(topic, payload string, qos byte, retain bool) error {
	return done(own.client.Publish(topic, qos, retain, payload))
}

func (own *client3) disconnect() error {
	own.client.Disconnect(100)
	return nil
}

func (own *client3) die() error {
	return own.connection.Close()
}
