import type { ProviderKey, ProviderKeyTest } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import styles from "#/components/ui/lists/card-list.module.css";
import { formatRelativeTime } from "#/lib/format.ts";
import { KeyTestResult } from "./key-test-result.tsx";

/** What can be done with a provider key. */
export type ProviderKeyActions = {
  test(providerKey: ProviderKey): void;
  replace(providerKey: ProviderKey): void;
  remove(providerKey: ProviderKey): void;
};

type Props = {
  providerKey: ProviderKey;
  /** The result of its last test on this page; null without one. */
  testResult: ProviderKeyTest | null;
  isTesting: boolean;
  actions: ProviderKeyActions;
};

/** A key of the organization for a provider, whether it is used, and why the provider last refused it. */
export function ProviderKeyCard({ providerKey, testResult, isTesting, actions }: Props) {
  const { name, label, last_characters, is_allowed, created_by_name, created_at, refusal, refused_at } = providerKey;
  const setAt = formatRelativeTime(created_at);
  return (
    <li className={styles.card}>
      <div className={styles.head}>
        <div className={styles.name}>
          <h2 className="h4">{name}</h2>
          <p className="small muted">
            {label === null ? null : <span className="user-text">{label} · </span>}
            {last_characters === "" ? null : (
              <>
                <span className="mono">…{last_characters}</span> ·{" "}
              </>
            )}
            {created_by_name === null ? t`set ${setAt}` : t`set ${setAt} by ${created_by_name}`}
          </p>
        </div>
        <KeyState providerKey={providerKey} />
      </div>
      {is_allowed ? null : (
        <p className="small muted">{t`This server no longer uses keys of organizations for this provider.`}</p>
      )}
      {refusal === null || refused_at === null || testResult !== null ? null : (
        <p className="small user-text">{t`Refused ${formatRelativeTime(refused_at)}: ${refusal}`}</p>
      )}
      {testResult === null ? null : <KeyTestResult result={testResult} />}
      <div className="row wrapping">
        <button
          type="button"
          className="btn"
          aria-label={t`Test the key for ${name}`}
          disabled={!is_allowed || isTesting}
          aria-busy={isTesting}
          onClick={() => actions.test(providerKey)}
        >
          {t`Test`}
        </button>
        <button
          type="button"
          className="btn ghost"
          aria-label={t`Replace the key for ${name}`}
          disabled={!is_allowed}
          onClick={() => actions.replace(providerKey)}
        >
          {t`Replace`}
        </button>
        <button
          type="button"
          className="btn ghost"
          aria-label={t`Remove the key for ${name}`}
          onClick={() => actions.remove(providerKey)}
        >
          {t`Remove`}
        </button>
      </div>
    </li>
  );
}

function KeyState({ providerKey: { is_allowed, refusal } }: Pick<Props, "providerKey">) {
  if (!is_allowed) return <StateBadge tier="offline">{t`not used`}</StateBadge>;
  return refusal === null ? (
    <StateBadge tier="good">{t`used`}</StateBadge>
  ) : (
    <StateBadge tier="bad">{t`refused`}</StateBadge>
  );
}
