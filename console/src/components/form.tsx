/** Forms made of fields that are declared; the gateway's faults are shown at the fields that they name. */
import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { Problem, textOf } from "../api";
import { Dialog } from "./dialog";

export interface Field {
  name: string;
  label: string;
  /** `json` and `number` are parsed; an empty field is left out. */
  kind?: "text" | "password" | "number" | "checkbox" | "choice" | "lines" | "json";
  choices?: readonly string[];
  value?: string | boolean;
  help?: string;
  isRequired?: boolean;
  isReadOnly?: boolean;
  /** What the browser may fill in. */
  autocomplete?: string;
}

/** What the fields say, by their names. */
export type Answers = Record<string, string | number | boolean | unknown>;

export interface FormProps {
  fields: readonly Field[];
  /** The text of the button. */
  action: string;
  isDangerous?: boolean;
  /** Throws what could not be done. */
  onSubmit: (answers: Answers) => Promise<void>;
}

export function Form({ fields, action, isDangerous = false, onSubmit }: FormProps) {
  const faults = useSignal<ReadonlyMap<string, string>>(new Map());
  const fault = useSignal("");
  const busy = useSignal(false);
  const prefix = useId();
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const read = readAnswers(fields, event.currentTarget as HTMLFormElement);
    faults.value = read.faults;
    fault.value = "";
    if (read.faults.size) return;
    busy.value = true;
    try {
      await onSubmit(read.answers);
    } catch (error) {
      if (error instanceof Problem) faults.value = error.fields;
      fault.value = textOf(error);
    } finally {
      busy.value = false;
    }
  };
  return (
    <form class="form" onSubmit={submit} noValidate>
      {fields.map((field) => (
        <FieldRow key={field.name} field={field} id={`${prefix}-${field.name}`} fault={faults.value.get(field.name)} />
      ))}
      {fault.value && (
        <p class="fault" role="alert">
          {fault.value}
        </p>
      )}
      <div class="form-actions">
        <button type="submit" class={isDangerous ? "danger" : "primary"} disabled={busy.value}>
          {action}
        </button>
      </div>
    </form>
  );
}

export interface FormDialogProps extends FormProps {
  title: string;
  onClose: () => void;
  text?: string;
}

/** A form in a dialog, which closes when the form's action was done. */
export function FormDialog({ title, text, onClose, onSubmit, ...rest }: FormDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      {text && <p>{text}</p>}
      <Form
        {...rest}
        onSubmit={async (answers) => {
          await onSubmit(answers);
          onClose();
        }}
      />
    </Dialog>
  );
}

function FieldRow({ field, id, fault }: { field: Field; id: string; fault: string | undefined }) {
  const { name, label, kind = "text", help, value, isRequired, isReadOnly } = field;
  const described = [help && `${id}-help`, fault && `${id}-fault`].filter(Boolean).join(" ");
  const shared = {
    id,
    name,
    required: isRequired ?? false,
    "aria-invalid": fault !== undefined,
    ...(described ? { "aria-describedby": described } : {}),
  };
  const text = typeof value === "string" ? value : "";
  const plain = { autocomplete: field.autocomplete ?? "off", readOnly: isReadOnly ?? false, defaultValue: text };
  return (
    <div class={kind === "checkbox" ? "field checkbox" : "field"}>
      <label for={id}>{label}</label>
      {kind === "choice" ? (
        <select {...shared} value={text}>
          {(field.choices ?? []).map((choice) => (
            <option key={choice} value={choice} selected={choice === text}>
              {choice}
            </option>
          ))}
        </select>
      ) : kind === "lines" || kind === "json" ? (
        <textarea {...shared} rows={kind === "json" ? 8 : 4} spellcheck={false} readOnly={isReadOnly} defaultValue={text} />
      ) : kind === "password" ? (
        <input {...shared} type="password" {...plain} />
      ) : kind === "checkbox" ? (
        <input {...shared} type="checkbox" defaultChecked={value === true} />
      ) : (
        <input {...shared} type="text" inputMode={kind === "number" ? "decimal" : "text"} {...plain} />
      )}
      {help && (
        <small id={`${id}-help`} class="help">
          {help}
        </small>
      )}
      {fault && (
        <small id={`${id}-fault`} class="fault">
          {fault}
        </small>
      )}
    </div>
  );
}

function readAnswers(fields: readonly Field[], form: HTMLFormElement): { answers: Answers; faults: Map<string, string> } {
  const answers: Answers = {};
  const faults = new Map<string, string>();
  for (const { name, kind = "text", isRequired } of fields) {
    const element = form.elements.namedItem(name) as HTMLInputElement;
    if (kind === "checkbox") {
      answers[name] = element.checked;
      continue;
    }
    const text = kind === "password" || kind === "lines" ? element.value : element.value.trim();
    if (text === "") {
      if (isRequired) faults.set(name, "this is needed");
      continue;
    }
    try {
      answers[name] = kind === "number" ? parsedNumber(text) : kind === "json" ? JSON.parse(text) : text;
    } catch (error) {
      faults.set(name, textOf(error));
    }
  }
  return { answers, faults };
}

function parsedNumber(text: string): number {
  const number = Number(text);
  if (!Number.isFinite(number)) throw new Error(`${text} is no number`);
  return number;
}
