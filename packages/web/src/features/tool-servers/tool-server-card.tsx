import type { ToolServer } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import styles from "#/components/ui/lists/card-list.module.css";
import { formatRelativeTime } from "#/lib/format.ts";

/** What can be done with a server of tools. */
export type ToolServerActions = {
  chooseTools(server: ToolServer): void;
  change(server: ToolServer): void;
  setEnabled(server: ToolServer, isEnabled: boolean): void;
  remove(server: ToolServer): void;
};

type Props = { server: ToolServer; actions: ToolServerActions };

/** A server of tools: its address, its secret as set or not set, the tools that may be called, and whether it is on. */
export function ToolServerCard({ server, actions }: Props) {
  const { name, url, is_enabled, created_by_name, updated_at } = server;
  const setAt = formatRelativeTime(updated_at);
  return (
    <li className={styles.card}>
      <div className={styles.head}>
        <div className={styles.name}>
          <h2 className="h4">{name}</h2>
          <p className="small muted mono">
            <bdi>{url}</bdi>
          </p>
        </div>
        <StateBadge tier={is_enabled ? "good" : "offline"}>{is_enabled ? t`on` : t`off`}</StateBadge>
      </div>
      <p className="small muted user-text">{describeSecret(server)}</p>
      <p className="small user-text">{describeAllowed(server)}</p>
      <p className="small faint">
        {created_by_name === null ? t`set ${setAt}` : t`set ${setAt} by ${created_by_name}`}
      </p>
      <div className="row wrapping">
        <button
          type="button"
          className="btn"
          aria-label={t`Ask the server ${name} for its tools`}
          onClick={() => actions.chooseTools(server)}
        >
          {t`Ask the server`}
        </button>
        <button
          type="button"
          className="btn ghost"
          aria-label={t`Change ${name}`}
          onClick={() => actions.change(server)}
        >
          {t`Change`}
        </button>
        <button
          type="button"
          className="btn ghost"
          aria-label={is_enabled ? t`Switch off ${name}` : t`Switch on ${name}`}
          onClick={() => actions.setEnabled(server, !is_enabled)}
        >
          {is_enabled ? t`Switch off` : t`Switch on`}
        </button>
        <button
          type="button"
          className="btn ghost"
          aria-label={t`Remove ${name}`}
          onClick={() => actions.remove(server)}
        >
          {t`Remove`}
        </button>
      </div>
    </li>
  );
}

function describeSecret({ header_name, is_secret_set }: ToolServer): string {
  if (header_name === null) return t`No secret is sent to it.`;
  return is_secret_set ? t`Header ${header_name}: the secret is set` : t`Header ${header_name}: no secret is set`;
}

function describeAllowed({ allowed_tools }: ToolServer): string {
  if (allowed_tools === null) return t`All its tools may be called.`;
  const names = allowed_tools.join(", ");
  return plural(allowed_tools.length, {
    one: `# tool may be called: ${names}`,
    other: `# tools may be called: ${names}`,
  });
}
