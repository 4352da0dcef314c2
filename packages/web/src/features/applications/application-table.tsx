import type { Application } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Link } from "react-router-dom";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { paths } from "#/config/paths.ts";
import { formatIsoDay } from "#/lib/format.ts";
import { CLIENT_TYPES, getStatusLabel } from "./labels.ts";

/** The organization's OAuth applications. */
export function ApplicationTable({ applications }: { applications: readonly Application[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th>{t`Name`}</th>
          <th>{t`State`}</th>
          <th className="wide-only">{t`Type`}</th>
          <th className="wide-only">{t`Asks for`}</th>
          <th className="wide-only">{t`Registered`}</th>
        </tr>
      </thead>
      <tbody>
        {applications.map(({ id, name, status, client_type, scopes, created_at }) => (
          <tr key={id}>
            <td>
              <Link className="id" to={paths.application(id)} dir="auto">
                {name}
              </Link>
              <div className="mono tiny faint user-text">{id}</div>
            </td>
            <td className="small">
              <StateBadge tier={getStatusLabel(status).tier}>{getStatusLabel(status).label}</StateBadge>
            </td>
            <td className="wide-only muted">{CLIENT_TYPES[client_type].name.toLowerCase()}</td>
            <td className="wide-only mono small muted">{scopes.length === 0 ? "–" : scopes.join(", ")}</td>
            <td className="wide-only num muted">{formatIsoDay(created_at)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
