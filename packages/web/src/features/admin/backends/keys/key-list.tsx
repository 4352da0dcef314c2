import type { BackendKey } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { formatCount } from "#/lib/format.ts";
import styles from "./key-list.module.css";
import { KeyState } from "./key-state.tsx";

type Props = {
  keys: readonly BackendKey[];
  /** What can be done with a key; left out where the keys cannot be changed. */
  actions: { change(key: BackendKey): void; remove(key: BackendKey): void } | undefined;
};

/** The keys of a backend with their state, and what is wrong with one that rests. */
export function KeyList({ keys, actions }: Props) {
  return (
    <ul className={styles.keys}>
      {keys.map((key) => (
        <li key={key.id}>
          <div className="row between">
            <div>
              <span className="strong user-text">{key.label}</span>{" "}
              {key.last_characters === "" ? null : <span className="mono small faint">…{key.last_characters}</span>}
            </div>
            <KeyState backendKey={key} />
          </div>
          <div className="row between">
            <span className="small muted">
              {t`Weight ${key.weight}`} · {t`${formatCount(key.in_flight)} running`}
            </span>
            {actions ? (
              <div className="row">
                <button
                  type="button"
                  className="btn ghost"
                  aria-label={t`Change ${key.label}`}
                  onClick={() => actions.change(key)}
                >
                  {t`Change`}
                </button>
                <button
                  type="button"
                  className="btn ghost"
                  aria-label={t`Remove ${key.label}`}
                  onClick={() => actions.remove(key)}
                >
                  {t`Remove`}
                </button>
              </div>
            ) : null}
          </div>
          {key.error === null ? null : (
            <p className="small muted user-text">
              {key.error} {key.advice}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
