import type { ScopeInfo } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import styles from "./requested-scopes.module.css";

type Props = {
  scopes: readonly ScopeInfo[];
  /** Scopes that the user has confirmed separately. */
  confirmed: readonly string[];
  onConfirm(scope: string, isConfirmed: boolean): void;
  disabled: boolean;
};

/** The requested scopes. Some are granted only if their checkbox is checked. */
export function RequestedScopes({ scopes, confirmed, onConfirm, disabled }: Props) {
  if (scopes.length === 0) return <p className="muted mt-6">{t`It asks for nothing but your name and plan.`}</p>;
  return (
    <ul className={styles.permissions}>
      {scopes.map((scope) => (
        <li key={scope.id}>
          <div className="row between">
            <span className="h4">{scope.name}</span>
            <code className="mono tiny faint">{scope.id}</code>
          </div>
          <ul className="muted small">
            {scope.permissions.map((permission) => (
              <li key={permission}>{permission}</li>
            ))}
          </ul>
          {scope.needs_confirmation ? (
            <label className="row small mt-2">
              <input
                type="checkbox"
                checked={confirmed.includes(scope.id)}
                disabled={disabled}
                onChange={(event) => onConfirm(scope.id, event.target.checked)}
              />
              <span>{t`Allow this too: ${scope.name}. Without it the rest is allowed alone.`}</span>
            </label>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
