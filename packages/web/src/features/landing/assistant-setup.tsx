import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { Link, useLocation } from "react-router-dom";
import { CopyButton } from "#/components/ui/code/copy-button.tsx";
import { Select } from "#/components/ui/controls/select.tsx";
import { Barbs } from "#/components/ui/labels/barbs.tsx";
import { tierLabel } from "#/components/ui/labels/state-badge.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { paths } from "#/config/paths.ts";
import { keysQuery } from "#/entities/api-keys/queries.ts";
import { modelsQuery } from "#/entities/models/queries.ts";
import { useUser } from "#/entities/session/user.ts";
import { useOrigin } from "#/lib/browser/use-origin.ts";
import { errorMessage } from "#/lib/error-message.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import { isCallable, selectAssistantModels } from "./assistant-models.ts";
import styles from "./assistant-setup.module.css";
import { ContextWindow } from "./context-window.tsx";

/** Filters for models that write code and support tools. */
export const CODING_FILTERS = { tags: "code,tool-use", sort: "-trending_rank", perPage: 50 } as const;

const WARM_FILTERS = { availability: "warm", perPage: 20 } as const;

/** The settings of a coding assistant, ready to copy, with a button that creates an API key. */
export function AssistantSetup({ assistant }: { assistant: string }) {
  const origin = useOrigin();
  const id = useId();
  const { data: coding } = useQuery(modelsQuery(CODING_FILTERS));
  const { data: warm } = useQuery(modelsQuery(WARM_FILTERS));
  const [selectedId, setSelectedId] = useState<string | null>(null);
  const options = selectAssistantModels(warm?.items ?? [], coding?.items ?? []);
  const callable = options.filter(isCallable);
  const model = callable.find((option) => option.id === selectedId) ?? callable[0];
  const isWithoutModel = model === undefined && coding !== undefined && warm !== undefined;
  const isNotWarm = model !== undefined && model.availability.tier !== "warm";
  return (
    <div className={styles.setup}>
      <div className={styles.setupRow}>
        <span className="label" id={`${id}-provider`}>
          {t`API provider`}
        </span>
        <span>OpenAI Compatible</span>
      </div>
      <CopyRow label={t`Base URL`} text={`${origin}/v1`} />
      <KeyRow assistant={assistant} />
      <div className={styles.setupRow}>
        <label className="label" htmlFor={`${id}-model`}>
          {t`Model ID`}
        </label>
        {model ? (
          <>
            <Select
              id={`${id}-model`}
              look="button"
              value={model.id}
              options={callable.map((option) => ({
                value: option.id,
                label: option.availability.tier === "warm" ? t`${option.id} (warm)` : option.id,
              }))}
              onChange={setSelectedId}
            />
            <CopyButton text={model.id} className="plain end" />
            {isNotWarm ? (
              <p className={`small muted ${styles.setupNote}`}>
                <Trans>
                  It is {tierLabel(model.availability.tier)} now.{" "}
                  <Link className="link" to="/docs/models#states">
                    What that means
                  </Link>
                </Trans>
              </p>
            ) : null}
          </>
        ) : isWithoutModel ? (
          <NoModel isOffline={options.length > 0} />
        ) : (
          <Skeleton width={220} height={34} />
        )}
      </div>
      <div className={styles.setupRow}>
        <span className="label">{t`Context window`}</span>
        {isWithoutModel ? (
          <span className="muted">–</span>
        ) : model ? (
          <ContextWindow tokens={model.context_length} />
        ) : (
          <Skeleton width={120} />
        )}
      </div>
      <div className={styles.setupRow}>
        <span className="label">{t`One request holds`}</span>
        {isWithoutModel ? (
          <span className="muted">–</span>
        ) : model ? (
          <span className="row tight">
            <Barbs active={model.concurrency_cost} total={4} label="" />
            {plural(model.concurrency_cost, { one: "# unit", other: "# units" })}
          </span>
        ) : (
          <Skeleton width={80} />
        )}
      </div>
    </div>
  );
}

/** Says that there is no model to enter, and where one comes from. */
function NoModel({ isOffline }: { isOffline: boolean }) {
  const { user } = useUser();
  if (!isOffline) return <span className="muted">{t`The catalogue of this server holds none that takes tools.`}</span>;
  return (
    <p className={`muted ${styles.setupNote}`}>
      {t`No model that takes tools runs here yet.`}{" "}
      {user?.is_admin ? (
        <Link className="link" to="/models?tags=tool-use&fit=fits">
          {t`Download one that fits this machine`}
        </Link>
      ) : (
        <Link className="link" to="/models?tags=tool-use">
          {t`Choose one and ask its operator for it`}
        </Link>
      )}
    </p>
  );
}

function CopyRow({ label, text }: { label: string; text: string }) {
  return (
    <div className={styles.setupRow}>
      <span className="label">{label}</span>
      <code className="mono">{text}</code>
      <CopyButton text={text} className="plain end" />
    </div>
  );
}

/** The reader's own key: made here and shown once, or where to get one. */
function KeyRow({ assistant }: { assistant: string }) {
  const { user, loading } = useUser();
  const { pathname } = useLocation();
  const [secret, setSecret] = useState<string | null>(null);
  const { data: keys } = useQuery({ ...keysQuery, enabled: user !== null });

  const creation = useAction((name: string, options) => feather.apiKeys.create({ name }, options), {
    showsError: true,
    onSuccess: (key) => setSecret(key.secret),
    invalidates: [keysQuery.queryKey],
  });

  const existingKey = keys?.items.find((key) => key.name === assistant && !key.disabled);
  return (
    <div className={styles.setupRow}>
      <span className="label">{t`API key`}</span>
      {secret ? (
        <>
          <code className="mono user-text">{secret}</code>
          <CopyButton text={secret} className="plain end" />
          <p className={`small muted ${styles.setupNote}`} role="status">
            <Trans>
              Copy it now: it is not shown again. You find it as “{assistant}” under{" "}
              <Link className="link" to={paths.apiKeys}>
                API keys
              </Link>
              .
            </Trans>
          </p>
        </>
      ) : user ? (
        <>
          <button
            type="button"
            className="btn primary"
            onClick={() => void creation.run(assistant)}
            disabled={creation.busy}
            aria-busy={creation.busy}
          >
            {creation.busy ? t`Please wait …` : t`Make a key for ${assistant}`}
          </button>
          {existingKey ? (
            <p className={`small muted ${styles.setupNote}`}>
              <Trans>
                You have one of that name already, {existingKey.prefix}…{existingKey.last4}. Its secret cannot be shown
                again.
              </Trans>
            </p>
          ) : null}
          {creation.error ? (
            <p className={`small ${styles.setupNote} ${styles.failure}`} role="alert">
              {errorMessage(creation.error)}{" "}
              <Link className="link" to={paths.apiKeys}>
                {t`Look at your keys`}
              </Link>
            </p>
          ) : null}
        </>
      ) : loading ? (
        <Skeleton width={180} height={34} />
      ) : (
        <Link className="btn primary" to={paths.register(pathname)}>
          {t`Sign up for a key`}
        </Link>
      )}
    </div>
  );
}
