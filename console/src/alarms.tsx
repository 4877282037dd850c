/** What is wrong with the broker, above every page. */
import { Icon } from "./components/icon";
import { bytes, count, duration } from "./format";
import { usePolled } from "./polled";
import { may } from "./rights";

interface Facts {
  now_ms: number;
  memory_alarm_since_ms: number;
  store_alarm_since_ms: number;
  store_fault_since_ms: number;
  certificate_expires_ms?: number;
  config_reload_ok?: boolean;
}

const ASKED_EVERY_MS = 5000;
const CERTIFICATE_ENDS_SOON_MS = 14 * 86_400_000;

/** A queue holds more than its options alert_… allow, or the thresholds that the broker was started with. */
interface Alert {
  queue: string;
  what: "messages" | "bytes" | "age_s";
  value: number;
  most: number;
}

/** What is wrong with queues is shown to those who may see them, the rest to those who may see the broker's statistics. */
export function Alarms() {
  const { data } = usePolled<Facts>(may("show-broker") ? "/broker" : null, ASKED_EVERY_MS);
  const queues = usePolled<{ alerts: readonly Alert[] }>("/alerts", 2 * ASKED_EVERY_MS);
  const alarms = [...(data.value ? raised(data.value) : []), ...(queues.data.value?.alerts ?? []).map(crossed)];
  if (alarms.length === 0) return null;
  return (
    <div class="alarm" role="alert">
      {alarms.map((text) => (
        <p key={text}>
          <Icon name="warning" /> {text}
        </p>
      ))}
    </div>
  );
}

function raised(facts: Facts): string[] {
  const since = (ms: number, text: string): string[] => (ms > 0 ? [`${text}, for ${duration(facts.now_ms - ms)}`] : []);
  return [
    ...since(facts.memory_alarm_since_ms, "Memory is short: producers wait"),
    ...since(facts.store_alarm_since_ms, "The disk is short: producers of durable queues wait"),
    ...since(facts.store_fault_since_ms, "The store cannot be written"),
    ...certificate(facts),
    ...(facts.config_reload_ok === false ? ["The configuration file could not be applied when it was read last"] : []),
  ];
}

function crossed({ queue, what, value, most }: Alert): string {
  if (what === "messages") return `Queue ${queue} has ${count(value)} messages, more than ${count(most)}`;
  if (what === "bytes") return `Queue ${queue} has messages of ${bytes(value)}, more than ${bytes(most)}`;
  return `Queue ${queue} has a message that came ${duration(1000 * value)} ago, longer than ${duration(1000 * most)}`;
}

function certificate({ now_ms: nowMs, certificate_expires_ms: endsMs }: Facts): string[] {
  if (endsMs === undefined || endsMs - nowMs > CERTIFICATE_ENDS_SOON_MS) return [];
  return [endsMs > nowMs ? `The certificate ends in ${duration(endsMs - nowMs)}` : "The certificate has ended"];
}
