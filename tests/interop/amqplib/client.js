// One program of those below against a broker, named on the command line; what it saw is a line of JSON.
//
//   node client.js URL confirm
'use strict';

const amqplib = require('amqplib');

const [url, program] = process.argv.slice(2);

/** A queue of this connection's own. */
async function declared(channel, options = {}) {
    const { queue } = await channel.assertQueue('', { exclusive: true, ...options });
    return queue;
}

/** Publish messages, given as [body, options], and wait until they are confirmed. */
async function publish(channel, queue, ...messages) {
    for (const [body, options] of messages) channel.sendToQueue(queue, Buffer.from(body), options);
    await channel.waitForConfirms();
}

/** So many messages of a consumer, which ends then. */
async function consumed(channel, queue, count, options = { noAck: true }) {
    const messages = [];
    let enough;
    const done = new Promise((resolve) => { enough = resolve; });
    const { consumerTag } = await channel.consume(queue, (message) => {
        messages.push(message);
        if (messages.length === count) enough();
    }, options);
    await done;
    await channel.cancel(consumerTag);
    return messages;
}

function bodies(messages) {
    return messages.map((message) => message.content.toString());
}

async function depth(channel, queue) {
    return (await channel.checkQueue(queue)).messageCount;
}

const PROGRAMS = {
    async confirm(channel) {
        const queue = await declared(channel);
        await publish(channel, queue, ['1'], ['2'], ['3']);
        const acknowledged = await consumed(channel, queue, 3, {});
        channel.ackAll();
        return [bodies(acknowledged), await depth(channel, queue)];
    },

    async refuse(channel) {
        const returned = new Promise((resolve) => { channel.once('return', resolve); });
        channel.publish('', 'nowhere', Buffer.from('lost'), { mandatory: true });
        const { fields, content } = await returned;
        const queue = await declared(channel, { maxLength: 1, arguments: { 'x-overflow': 'reject-publish' } });
        await publish(channel, queue, ['1']);
        const full = await publish(channel, queue, ['2']).then(() => 'taken', (error) => error.message);
        return [fields.replyCode, content.toString(), full];
    },

    async get(channel) {
        const dead = await declared(channel);
        const queue = await declared(channel, { deadLetterExchange: '', deadLetterRoutingKey: dead });
        await publish(channel, queue, ['x']);
        const first = await channel.get(queue);
        channel.nack(first);
        const second = await channel.get(queue);
        channel.reject(second, false);
        const nothing = await channel.get(queue);
        const buried = await channel.get(dead, { noAck: true });
        return [first.fields.redelivered, second.fields.redelivered, nothing, buried.content.toString()];
    },

    async browse(channel, connection) {
        const queue = await declared(channel, { arguments: { 'qpid.last_value_queue_key': 'ticker' } });
        const update = (body, ticker) => [body, { headers: { ticker } }];
        await publish(channel, queue, update('0', 'A'), update('1', 'B'), update('2', 'A'));
        const browsing = { noAck: true, arguments: { 'x-filter-no-consume': true } };
        const browsed = bodies(await consumed(channel, queue, 2, browsing));
        const reader = await connection.createChannel();
        const read = bodies(await consumed(reader, queue, 2, {}));
        await reader.close();
        return [browsed, read, await depth(channel, queue)];
    },

    async follow(channel) {
        const queue = await declared(channel, { arguments: { 'qpid.last_value_queue_key': 'ticker' } });
        const browsing = { noAck: true, arguments: { 'x-filter-no-consume': true } };
        const following = consumed(channel, queue, 2, browsing);
        await publish(channel, queue, ['0', { headers: { ticker: 'A' } }]);
        await publish(channel, queue, ['1', { headers: { ticker: 'A' } }]);
        return bodies(await following);
    },

    async sort(channel) {
        const queue = await declared(channel, { arguments: { 'qpid.queue_sort_key': 'name' } });
        await publish(channel, queue, ...[...'cab'].map((name) => [name, { headers: { name } }]));
        return bodies(await consumed(channel, queue, 3));
    },

    async prioritise(channel) {
        const queue = await declared(channel, { maxPriority: 5 });
        await publish(channel, queue, ...[1, 5, 3].map((priority) => [String(priority), { priority }]));
        return bodies(await consumed(channel, queue, 3));
    },

    async group(channel, connection) {
        const shared = { 'qpid.group_header_key': 'g', 'qpid.shared_msg_group': 1 };
        const queue = await declared(channel, { arguments: shared });
        await publish(channel, queue, ...[...'aab'].map((g, number) => [String(number), { headers: { g } }]));
        const found = [];
        for (let reader = 0; reader < 2; reader += 1) {
            found.push(await (await connection.createChannel()).get(queue));
        }
        return bodies(found);
    },

    async keep(channel) {
        const all = { arguments: { 'qpid.ensure_nondestructive_consumers': true } };
        const queue = await declared(channel, all);
        await publish(channel, queue, ['1'], ['2']);
        return [bodies(await consumed(channel, queue, 2)), bodies(await consumed(channel, queue, 2))];
    },

    async select(channel) {
        const queue = await declared(channel);
        await publish(channel, queue, ['1', { headers: { n: 1 } }], ['2', { headers: { n: 2 } }]);
        const selecting = { noAck: true, arguments: { 'x-filter-jms-selector': 'n > 1' } };
        return [bodies(await consumed(channel, queue, 1, selecting)), await depth(channel, queue)];
    },

    async misspell(channel) {
        const closed = new Promise((resolve) => { channel.once('error', resolve); });
        await declared(channel, { arguments: { 'x-max-lenght': 5 } }).catch(() => undefined);
        const { code, message } = await closed;
        return [code, message];
    },
};

async function main() {
    const connection = await amqplib.connect(url).catch((error) => error);
    if (connection instanceof Error) {
        console.log(JSON.stringify(connection.message));
        return;
    }
    const channel = await connection.createConfirmChannel();
    console.log(JSON.stringify(await PROGRAMS[program](channel, connection)));
    await connection.close();
}

main();
