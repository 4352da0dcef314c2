import { t } from "@lingui/core/macro";
import { useId } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import { ChoiceList } from "#/components/ui/controls/choice-list.tsx";
import type { ScopeOption } from "../scopes.ts";

type Props = { options: readonly ScopeOption[]; registered: UseFormRegisterReturn; errors: readonly string[] };

/** Checkboxes for the scopes of a key. Those that cannot be given say why. */
export function ScopeFields({ options, registered, errors }: Props) {
  const id = useId();
  return (
    <ChoiceList legend={t`It may`} describedBy={`${id}-errors`}>
      {options.map(({ id: scope, label, hint, refusal }) => (
        <label key={scope}>
          <input
            type="checkbox"
            value={scope}
            disabled={refusal !== null}
            aria-describedby={refusal === null ? undefined : `${id}-${scope}`}
            {...registered}
          />
          <span className={refusal === null ? undefined : "faint"}>
            <strong>{label}</strong> <span className="small">{hint}</span>
            {refusal === null ? null : (
              <span className="small" id={`${id}-${scope}`}>
                {refusal}
              </span>
            )}
          </span>
        </label>
      ))}
      <div id={`${id}-errors`}>
        {errors.map((error) => (
          <p key={error} className="error-text">
            {error}
          </p>
        ))}
      </div>
    </ChoiceList>
  );
}
