import type { Schemas } from "@feather/sdk";
import { t } from "@lingui/core/macro";

export type Scope = Schemas["ScopeInfo"];

/** The permissions that an application asks for, one below the other. */
export function Permissions({ scopes }: { scopes: readonly Scope[] }) {
  if (scopes.length === 0) return <p className="mid mt-6">{t`It asks for nothing but your name and plan.`}</p>;
  return (
    <ul className="permissions">
      {scopes.map((scope) => (
        <li key={scope.id}>
          <div className="row between">
            <span className="h4">{scope.name}</span>
            <code className="mono tiny dim">{scope.id}</code>
          </div>
          <ul className="mid small">
            {scope.permissions.map((permission) => (
              <li key={permission}>{permission}</li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}
