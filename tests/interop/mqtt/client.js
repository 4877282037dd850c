// What MQTT.js does with a broker, as JSON: `node client.js PORT LEVEL PREFIX`; the port may be a WebSocket's URL.
const mqtt = require('mqtt');
const [place, levelText, prefix] = process.argv.slice(2);
const level = Number(levelText);
const url = place.includes('://') ? place : `mqtt://127.0.0.1:${place}`;

async function open(name, clean = true, will = undefined) {
  const properties = level === 5 && !clean ? { sessionExpiryInterval: 60 } : undefined;
  const options = {
    clientId: prefix + name, protocolVersion: level, clean, will, properties, reconnectPeriod: 0, manualConnect: true,
    ...(level === 3 ? { protocolId: 'MQIsdp' } : {}),
  };
  const client = mqtt.connect(url, options);
  const heard = [];
  client.on('message', (topic, payload, packet) => {
    heard.push([topic.slice(prefix.length), payload.toString(), packet.retain]);
  });
  const all = async (count) => {
    while (heard.length < count) await new Promise((resolve) => setTimeout(resolve, 10));
    return heard.sort();
  };
  const opened = new Promise((resolve, reject) => { client.once('connect', resolve); client.once('error', reject); });
  client.connect();
  await opened;
  return { client, all, heard };
}

async function main() {
  const told = {};
  const publisher = await open('publisher');
  const reader = await open('reader');
  await reader.client.subscribeAsync(`${prefix}round/#`, { qos: 2 });
  for (const [qos, word] of ['zero', 'one', 'two'].entries()) {
    await publisher.client.publishAsync(`${prefix}round/${qos}`, word, { qos });
  }
  told.round = await reader.all(3);
  await publisher.client.publishAsync(`${prefix}kept/a`, 'value', { qos: 1, retain: true });
  const late = await open('late');
  await late.client.subscribeAsync(`${prefix}kept/+`, { qos: 1 });
  told.retained = await late.all(1);
  let sleeper = await open('sleeper', false);
  await sleeper.client.subscribeAsync(`${prefix}later/#`, { qos: 1 });
  await sleeper.client.endAsync();
  await publisher.client.publishAsync(`${prefix}later/x`, 'while away', { qos: 1 });
  sleeper = await open('sleeper', false);
  told.offline = await sleeper.all(1);
  const watcher = await open('watcher');
  await watcher.client.subscribeAsync(`${prefix}gone`, { qos: 1 });
  const doomed = await open('doomed', true, { topic: `${prefix}gone`, payload: 'abruptly', qos: 1 });
  doomed.client.stream.destroy();
  told.will = await watcher.all(1);
  const members = [await open('first'), await open('second')];
  for (const { client } of members) await client.subscribeAsync(`$share/group/${prefix}work/#`, { qos: 1 });
  for (let number = 0; number < 4; number += 1) {
    await publisher.client.publishAsync(`${prefix}work/${number}`, 'do', { qos: 1 });
  }
  const got = () => members.flatMap(({ heard }) => heard);
  while (got().length < 4) await new Promise((resolve) => setTimeout(resolve, 10));
  told.shared = got().sort();
  for (const each of [publisher, reader, late, sleeper, watcher, ...members]) await each.client.endAsync();
  console.log(JSON.stringify(told));
}

setTimeout(() => { console.error('too late'); process.exit(1); }, 60000).unref();
main().then(() => process.exit(0), (fault) => { console.error(fault); process.exit(1); });
