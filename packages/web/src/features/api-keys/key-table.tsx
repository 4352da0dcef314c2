import { Menu } from "@base-ui/react/menu";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { StateBadge } from "#/components/ui/primitives.tsx";
import { formatIsoDay, formatRelativeTime } from "#/lib/format.ts";
import type { ApiKey } from "./queries.ts";
import { getKeyScopeLabel } from "./scopes.ts";

type Props = {
  keys: readonly ApiKey[];
  /** Whether the actions are disabled. */
  isReadOnly: boolean;
  rotate(key: ApiKey): void;
  rename(key: ApiKey): void;
  setDisabled(key: ApiKey, disabled: boolean): void;
  remove(key: ApiKey): void;
};

/** The organization's API keys, each with a menu of actions. */
export function KeyTable({ keys, isReadOnly, rotate, rename, setDisabled, remove }: Props) {
  return (
    <table>
      <thead>
        <tr>
          <th>{t`Name`}</th>
          <th>{t`Key`}</th>
          <th className="w">{t`Whose`}</th>
          <th className="w">{t`May do`}</th>
          <th className="w">{t`Last used`}</th>
          <th className="w">{t`Expires`}</th>
          <th>{t`State`}</th>
          <th>
            <span className="visually-hidden">{t`Actions`}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <tr key={key.id}>
            <td style={{ fontWeight: 600, overflowWrap: "anywhere" }}>
              <bdi>{key.name}</bdi>
            </td>
            <td className="mono">
              {key.prefix}…{key.last4}
              {key.previous_secret_expires_at ? (
                <div className="tiny dim">{t`the secret before goes on until ${formatRelativeTime(key.previous_secret_expires_at)}`}</div>
              ) : null}
            </td>
            <td className="w mid">
              <bdi>{key.created_by_name ?? t`somebody who has left`}</bdi>
              {key.created_by_application ? (
                <div className="tiny dim">
                  <Trans>
                    by <bdi>{key.created_by_application}</bdi>
                  </Trans>
                </div>
              ) : null}
            </td>
            <td className="w mid">{key.scopes.map(getKeyScopeLabel).join(", ")}</td>
            <td className="w mid">{key.last_used_at ? formatRelativeTime(key.last_used_at) : t`never`}</td>
            <td className="w mid">{key.expires_at ? formatIsoDay(key.expires_at) : t`never`}</td>
            <td className="small">
              <StateBadge tier={key.disabled ? "offline" : "good"}>{key.disabled ? t`off` : t`on`}</StateBadge>
            </td>
            <td style={{ textAlign: "end" }}>
              <Menu.Root>
                <Menu.Trigger className="btn ghost icon" aria-label={t`Actions for ${key.name}`} disabled={isReadOnly}>
                  <span aria-hidden="true">···</span>
                </Menu.Trigger>
                <Menu.Portal>
                  <Menu.Positioner align="end" sideOffset={4}>
                    <Menu.Popup className="menu-pop">
                      <Menu.Item className="item" onClick={() => rename(key)}>
                        {t`Rename`}
                      </Menu.Item>
                      <Menu.Item className="item" onClick={() => rotate(key)}>
                        {t`Replace the secret`}
                      </Menu.Item>
                      <Menu.Item className="item" onClick={() => setDisabled(key, !key.disabled)}>
                        {key.disabled ? t`Switch on` : t`Switch off`}
                      </Menu.Item>
                      <Menu.Item className="item danger" onClick={() => remove(key)}>
                        {t`Delete`}
                      </Menu.Item>
                    </Menu.Popup>
                  </Menu.Positioner>
                </Menu.Portal>
              </Menu.Root>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
