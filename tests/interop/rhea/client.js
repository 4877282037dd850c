// One action against a broker, told on the command line; each thing that happens is a line of JSON.
//
//   node client.js PORT QUEUE send '[{"body": "one", "application_properties": {"ticker": "A"}}]'
//   node client.js PORT QUEUE send-settled '[...]'
//   node client.js PORT QUEUE receive '["accept", "release", "reject"]'     an outcome for each message
//   node client.js PORT QUEUE browse                                        what is there, then drained
//   node client.js PORT QUEUE browse '"colour = \'red\'"'                   what of it the selector selects
//   node client.js PORT QUEUE select '"colour = \'red\'"'                   the same, taken from the queue
//   node client.js PORT QUEUE follow 3                                      the next 3, however long it takes
//   node client.js PORT QUEUE relay '"body"'                                on a link without a target
//   node client.js PORT QUEUE request                                       to a dynamic node of its own, and back
//   node client.js PORT QUEUE drain 5                                       consume with 5 credits, return the rest
// The environment may have RHEA_USER and RHEA_PASSWORD, and in RHEA_CA the file of authorities for TLS.
'use strict';

const fs = require('fs');
const rhea = require('rhea');

const SETTLED = 1;
const [port, queue, action, argument] = process.argv.slice(2);

function tell(event) {
    console.log(JSON.stringify(event));
}

// PORT may be an address as well: ws://127.0.0.1:8080
const connect = port.startsWith('ws')
    ? { connection_details: rhea.websocket_connect(require('ws'))(port, ['amqp'], {}) }
    : { host: '127.0.0.1', port: Number(port) };
const { RHEA_USER, RHEA_PASSWORD, RHEA_CA } = process.env;
const user = RHEA_USER ? { username: RHEA_USER, password: RHEA_PASSWORD } : {};
const tls = RHEA_CA ? { transport: 'tls', servername: 'localhost', ca: [fs.readFileSync(RHEA_CA)] } : {};
const connection = rhea.connect({ ...connect, ...user, ...tls, reconnect: false });
connection.on('connection_error', ({ error }) => tell({ error: error.condition }));
connection.on('disconnected', ({ error }) => error && tell({ error: error.code }));

function send(messages, settled) {
    const options = { target: queue, snd_settle_mode: settled ? SETTLED : 0 };
    const sender = connection.open_sender(options);
    let open = messages.length;
    sender.once('sendable', () => {
        // A length stands for a body of so many letters, which no command line could hold.
        messages.forEach(({ length, ...message }) => sender.send(length ? { body: 'x'.repeat(length) } : message));
        if (settled) sender.close();
    });
    for (const outcome of ['accepted', 'rejected', 'released']) {
        sender.on(outcome, () => {
            tell({ outcome });
            if (--open === 0) connection.close();
        });
    }
    sender.on('sender_close', () => connection.close());
    sender.on('sender_error', (context) => tell({ error: context.sender.error.condition }));
}

function subscribe(options, on_message) {
    const receiver = connection.open_receiver({ autoaccept: false, credit_window: 0, ...options });
    receiver.on('message', (context) => {
        const { body, application_properties } = context.message;
        tell({ body, application_properties, settled: context.delivery.remote_settled });
        on_message(context);
    });
    receiver.on('receiver_drained', (context) => {
        tell({ drained: true, credit: context.receiver.credit });
        connection.close();
    });
    receiver.on('receiver_error', (context) => {
        tell({ error: context.receiver.error.condition });
        connection.close();
    });
    return receiver;
}

// One message at a time: rhea 3.0.5 gives two deliveries that it settles in one turn the outcome of the first.
function receive(outcomes) {
    const receiver = subscribe({ source: queue }, (context) => {
        context.delivery[outcomes.shift()]();
        if (outcomes.length === 0) receiver.close();
        else receiver.add_credit(1);
    });
    receiver.on('receiver_close', () => connection.close());
    receiver.add_credit(1);
}

function read(distribution_mode, selector) {
    const source = { address: queue, distribution_mode };
    if (selector) source.filter = rhea.filter.selector(selector);
    const receiver = subscribe({ source }, (context) => context.delivery.accept());
    receiver.add_credit(1000);
    receiver.drain_credit();
}

function follow(count) {
    const source = { address: queue, distribution_mode: 'copy' };
    const receiver = subscribe({ source, snd_settle_mode: SETTLED }, () => {
        if (--count === 0) connection.close();
    });
    receiver.add_credit(count);
}

function drain(credit) {
    const receiver = subscribe({ source: queue }, (context) => context.delivery.accept());
    receiver.add_credit(credit);
    receiver.drain_credit();
}

function relay(body) {
    const sender = connection.open_sender({ target: {} });
    sender.once('sendable', () => sender.send({ to: queue, body }));
    sender.on('accepted', () => {
        tell({ outcome: 'accepted' });
        connection.close();
    });
}

function request() {
    const replies = connection.open_receiver({ source: { dynamic: true } });
    replies.on('receiver_open', () => {
        const sender = connection.open_sender(replies.source.address);
        sender.once('sendable', () => sender.send({ body: 'reply' }));
    });
    replies.on('message', ({ message }) => {
        tell({ body: message.body });
        connection.close();
    });
}

({
    'relay': () => relay(JSON.parse(argument)),
    'request': () => request(),
    'send': () => send(JSON.parse(argument), false),
    'send-settled': () => send(JSON.parse(argument), true),
    'receive': () => receive(JSON.parse(argument)),
    'browse': () => read('copy', JSON.parse(argument)),
    'select': () => read('move', JSON.parse(argument)),
    'follow': () => follow(Number(argument)),
    'drain': () => drain(Number(argument)),
})[action]();
