import type { ReactNode } from "react";

/** The error messages of a field; its hint where there are none. */
export function FieldText({ id, errors, hint }: { id: string; errors: readonly string[]; hint: ReactNode }) {
  return (
    <div id={`${id}-text`}>
      {errors.map((error) => (
        <p key={error} className="error-text">
          {error}
        </p>
      ))}
      {hint && errors.length === 0 ? <p className="hint">{hint}</p> : null}
    </div>
  );
}
