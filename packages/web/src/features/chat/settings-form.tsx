import { useId } from "react";
import { type ChatSettings, SAMPLERS } from "./settings.ts";

/** The system prompt and the samplers. */
export function SettingsForm({ settings, change }: { settings: ChatSettings; change(next: ChatSettings): void }) {
  const id = useId();
  return (
    <>
      <h2 className="h4">Settings</h2>
      <div className="setting">
        <label className="label" htmlFor={`${id}-system`}>
          System prompt
        </label>
        <textarea
          id={`${id}-system`}
          className="input mt-2"
          rows={3}
          value={settings.system}
          onChange={(event) => change({ ...settings, system: event.target.value })}
          placeholder="How the model should answer"
        />
      </div>
      {SAMPLERS.map(({ name, label, min, max, step }) => (
        <div key={name} className="setting">
          <div className="row between">
            <label className="mid" htmlFor={`${id}-${name}`}>
              {label}
            </label>
            <span className="num">{settings[name].toLocaleString("en-US")}</span>
          </div>
          <input
            id={`${id}-${name}`}
            type="range"
            min={min}
            max={max}
            step={step}
            value={settings[name]}
            onChange={(event) => change({ ...settings, [name]: Number(event.target.value) })}
          />
        </div>
      ))}
    </>
  );
}
