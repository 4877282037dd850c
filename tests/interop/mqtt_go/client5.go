package main

import (
	"context"
	"net"

	"github.com/eclipse/paho.golang/paho"
)

// Paho's client of MQTT 5.0.
type client5 struct {
	asked      paho.Connect
	name       string
	heard      chan message
	client     *paho.Client
	connection net.Conn
}

func newClient5(name, willTopic string, heard chan message) *client5 {
	made := &client5{name: name, heard: heard}
	if willTopic != "" {
		made.asked.WillMessage = &paho.WillMessage{Topic: willTopic, Payload: []byte("abruptly"), QoS: 1}
	}
	return made
}

func (own *client5) connect(clean bool) error {
	connection, fault := net.Dial("tcp", address)
	if fault != nil {
		return fault
	}
	own.connection = connection
	own.client = paho.NewClient(paho.ClientConfig{
		Conn: connection,
		OnPublishReceived: []func(paho.PublishReceived) (bool, error){
			func(each paho.PublishReceived) (bool, error) {
				own.heard <- message{each.Packet.Topic, string(each.Packet.Payload), each.Packet.Retain}
				return true, nil
			},
		},
	})
	expiry := uint32(60)
	if clean {
		expiry = 0
	}
	own.asked.ClientID = own.name
	own.asked.CleanStart = clean
	own.asked.KeepAlive = 30
	own.asked.Properties = &paho.ConnectProperties{SessionExpiryInterval: &expiry}
	_, fault = own.client.Connect(context.Background(), &own.asked)
	return fault
}

func (own *client5) subscribe(filter string, qos byte) error {
	asked := paho.Subscribe{Subscriptions: []paho.SubscribeOptions{{Topic: filter, QoS: qos}}}
	_, fault := own.client.Subscribe(context.Background(), &asked)
	return fault
}

func (own *client5) publish(topic, payload string, qos byte, retain bool) error {
	sent := paho.Publish{Topic: topic, Payload: []byte(payload), QoS: qos, Retain: retain}
	_, fault := own.client.Publish(context.Background(), &sent)
	return fault
}

func (own *client5) disconnect() error {
	return own.client.Disconnect(&paho.Disconnect{ReasonCode: 0})
}

func (own *client5) die() error {
	return own.connection.Close()
}
