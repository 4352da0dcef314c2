import { t } from "@lingui/core/macro";
import { Link } from "react-router-dom";
import { State } from "#/components/ui/bits.tsx";
import { paths } from "#/config/paths.ts";
import { day } from "#/lib/format.ts";
import type { Application } from "./queries.ts";
import { CLIENT_TYPES, statusWords } from "./words.ts";

/** The organization's OAuth applications. */
export function ApplicationTable({ applications }: { applications: readonly Application[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th>{t`Name`}</th>
          <th>{t`State`}</th>
          <th className="w">{t`Type`}</th>
          <th className="w">{t`Asks for`}</th>
          <th className="w">{t`Registered`}</th>
        </tr>
      </thead>
      <tbody>
        {applications.map(({ id, name, status, client_type, scopes, created_at }) => (
          <tr key={id}>
            <td>
              <Link className="id" to={paths.application(id)} dir="auto">
                {name}
              </Link>
              <div className="mono tiny dim stranger">{id}</div>
            </td>
            <td className="small">
              <State tier={statusWords(status).tier}>{statusWords(status).word}</State>
            </td>
            <td className="w mid">{CLIENT_TYPES[client_type].name.toLowerCase()}</td>
            <td className="w mono small mid">{scopes.length === 0 ? "–" : scopes.join(", ")}</td>
            <td className="w num mid">{day(created_at)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
