// Publishes three prices to the last-value queue "prices", browses it, and takes what is current; told the URL.
'use strict';

const amqplib = require('amqplib');

async function main(url) {
    const connection = await amqplib.connect(url);
    const channel = await connection.createConfirmChannel();
    await channel.assertQueue('prices', { durable: false, arguments: { 'qpid.last_value_queue_key': 'symbol' } });
    for (const [symbol, price] of [['AAPL', '101.5'], ['MSFT', '402.1'], ['AAPL', '101.7']]) {
        channel.sendToQueue('prices', Buffer.from(price), { headers: { symbol } });
    }
    await channel.waitForConfirms();
    await channel.prefetch(1);
    await channel.consume('prices', (message) => {
        if (message === null) return;    // the queue was deleted
        console.log(message.properties.headers.symbol, message.content.toString());
        channel.ack(message);
        if (message.properties.headers.symbol === 'AAPL') connection.close();
    });
}

main(process.argv[2]);
