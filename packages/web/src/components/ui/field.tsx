import { type InputHTMLAttributes, type ReactNode, useId, useState } from "react";

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, "id"> & {
  label: string;
  hint?: ReactNode;
  errors?: readonly string[];
  end?: ReactNode;
};

/** A labelled input with its hint and every failing rule, wired for screen readers. */
export function Field({ label, hint, errors = [], end, type, ...input }: Props) {
  const id = useId();
  const [shown, setShown] = useState(false);
  const secret = type === "password";
  return (
    <div className="field">
      <div className="row between">
        <label htmlFor={id}>{label}</label>
        {end}
      </div>
      <div className="relative">
        <input
          id={id}
          className="input"
          type={secret && shown ? "text" : type}
          aria-invalid={errors.length > 0}
          aria-describedby={`${id}-text`}
          {...input}
        />
        {secret ? (
          <button
            type="button"
            className="plain absolute right-3 top-0 h-full"
            onClick={() => setShown(!shown)}
            aria-label={shown ? "Hide password" : "Show password"}
          >
            {shown ? "Hide" : "Show"}
          </button>
        ) : null}
      </div>
      <div id={`${id}-text`}>
        {errors.map((error) => (
          <p key={error} className="err">
            {error}
          </p>
        ))}
        {hint && errors.length === 0 ? <p className="hint">{hint}</p> : null}
      </div>
    </div>
  );
}
