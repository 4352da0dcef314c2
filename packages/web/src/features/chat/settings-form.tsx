import { t } from "@lingui/core/macro";
import { type CSSProperties, useId, useState } from "react";
import { count } from "#/lib/format.ts";
import { type ChatSettings, SAMPLERS, type SamplerName, settingFaults, TYPED } from "./settings.ts";

type Props = { settings: ChatSettings; change(next: ChatSettings): void };

/** System prompt, samplers, and rarely used settings in a collapsed section. */
export function SettingsForm({ settings, change }: Props) {
  const id = useId();
  return (
    <>
      <div className="setting">
        <label className="label" htmlFor={`${id}-system`}>
          {t`System prompt`}
        </label>
        <textarea
          id={`${id}-system`}
          className="input mt-2"
          rows={3}
          value={settings.system}
          onChange={(event) => change({ ...settings, system: event.target.value })}
          placeholder={t`How the model should answer`}
        />
      </div>
      <Samplers first settings={settings} change={change} />
      <details className="more-settings">
        <summary>{t`More`}</summary>
        <Samplers first={false} settings={settings} change={change} />
        <Choices settings={settings} change={change} />
        <Typed settings={settings} change={change} />
      </details>
    </>
  );
}

function Samplers({ first, settings, change }: Props & { first: boolean }) {
  return SAMPLERS.filter((one) => one.first === first).map((sampler) => (
    <Sampler
      key={sampler.name}
      {...sampler}
      value={settings[sampler.name]}
      set={(value) => change({ ...settings, [sampler.name]: value })}
    />
  ));
}

type SamplerProps = Omit<(typeof SAMPLERS)[number], "name"> & {
  name: SamplerName;
  value: number;
  set(value: number): void;
};

/** A slider with a number field, which accepts values outside the slider's range. */
function Sampler({ label, least, min, max, most, step, value, set }: SamplerProps) {
  const id = useId();
  const [refused, setRefused] = useState(false);
  const slid = Math.min(Math.max(value, min), max);
  function enter(field: HTMLInputElement): void {
    const number = Number(field.value);
    const valid = field.value.trim() !== "" && number >= least && number <= most;
    setRefused(!valid);
    if (valid && number !== value) set(number);
    if (!valid) field.value = String(value);
  }
  return (
    <div className="setting">
      <div className="row between">
        <label className="mid" htmlFor={id}>
          {label}
        </label>
        <input
          type="number"
          className="num value"
          aria-label={t`${label}, as a number`}
          aria-describedby={refused ? `${id}-refused` : undefined}
          min={least}
          max={most}
          step="any"
          key={value}
          defaultValue={value}
          onBlur={(event) => enter(event.currentTarget)}
          onKeyDown={(event) => event.key === "Enter" && enter(event.currentTarget)}
        />
      </div>
      {refused ? (
        <p id={`${id}-refused`} className="small err" role="alert">
          {t`From ${count(least)} to ${count(most)}.`}
        </p>
      ) : null}
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        step={step}
        value={slid}
        style={{ "--part": (slid - min) / (max - min) } as CSSProperties}
        onChange={(event) => {
          setRefused(false);
          set(Number(event.target.value));
        }}
      />
    </div>
  );
}

function Choices({ settings, change }: Props) {
  const id = useId();
  const choice = <N extends "thinking" | "reasoning_effort" | "tool_choice" | "format">(
    name: N,
    label: string,
    options: readonly (readonly [ChatSettings[N], string])[],
  ) => (
    <div className="setting row between">
      <label className="mid" htmlFor={`${id}-${name}`}>
        {label}
      </label>
      <select
        id={`${id}-${name}`}
        className="chip"
        value={settings[name]}
        onChange={(event) => change({ ...settings, [name]: event.target.value as ChatSettings[N] })}
      >
        {options.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </div>
  );
  return (
    <>
      {choice("thinking", t`Thinking`, [
        ["", t`as the model does`],
        ["on", t`on`],
        ["off", t`off`],
      ])}
      {choice("reasoning_effort", t`Reasoning effort`, [
        ["", t`as the model does`],
        ["low", t`low`],
        ["medium", t`medium`],
        ["high", t`high`],
      ])}
      {choice("format", t`Answer as`, [
        ["text", t`text`],
        ["json_object", "JSON"],
        ["json_schema", t`JSON of a schema`],
      ])}
      {choice("tool_choice", t`Call tools`, [
        ["", t`as the model decides`],
        ["required", t`always`],
        ["none", t`never`],
      ])}
    </>
  );
}

function Typed({ settings, change }: Props) {
  const id = useId();
  const [typing, setTyping] = useState<string | null>(null);
  const faults = settingFaults(settings);
  return (
    <>
      {TYPED.map(({ name, label, hint, rows }) => {
        const at = `${id}-${name}`;
        const fault = typing === name ? undefined : faults[name]; // shown after leaving the field
        const props = {
          id: at,
          className: "input",
          value: settings[name],
          spellCheck: false,
          "aria-invalid": fault !== undefined,
          "aria-describedby": `${at}-hint`,
          onChange: (event: { target: { value: string } }) => {
            setTyping(name);
            change({ ...settings, [name]: event.target.value });
          },
          onBlur: () => setTyping(null),
        };
        return (
          <div key={name} className="setting field">
            <label htmlFor={at}>{label}</label>
            {rows === 1 ? <input {...props} /> : <textarea rows={rows} {...props} />}
            <p id={`${at}-hint`} className={fault ? "err" : "hint"}>
              {fault ? `${fault} ` : ""}
              {hint}
            </p>
          </div>
        );
      })}
      <label className="check setting">
        <input
          type="checkbox"
          checked={settings.include_stop_str_in_output}
          onChange={(event) => change({ ...settings, include_stop_str_in_output: event.target.checked })}
        />
        {t`Keep the stop text in the answer`}
      </label>
    </>
  );
}
