import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";
import { Link, useLocation } from "react-router-dom";
import { CodeTabs } from "#/components/ui/code/code-tabs.tsx";
import { paths } from "#/config/paths.ts";
import { useUser } from "#/entities/session/user.ts";
import { useOrigin } from "#/lib/browser/use-origin.ts";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";
import { useAction } from "#/lib/use-action.ts";
import { createCallSamples } from "./call-samples.ts";
import styles from "./call-snippets.module.css";

type Props = { model: string; createSamples?: typeof createCallSamples };

/** Code samples that call a model, by default for a chat, with a button that creates a key and inserts it. */
export function CallSnippets({ model, createSamples = createCallSamples }: Props) {
  const origin = useOrigin();
  const { user, loading } = useUser();
  const { pathname } = useLocation();
  const [key, setKey] = useState<string | null>(null);
  const creation = useAction((name: string, options) => feather.apiKeys.create({ name }, options), {
    showsError: true,
    onSuccess: ({ secret }) => setKey(secret),
    invalidates: [queries.apiKeys.key()],
  });

  return (
    <div className={styles.snippets}>
      <CodeTabs samples={createSamples(model, origin, key)} />
      <p className="small faint" role="status">
        {key ? (
          <Trans>
            With your new key “Snippets”, shown this one time.{" "}
            <Link className="link" to={paths.apiKeys}>
              Your keys
            </Link>
          </Trans>
        ) : loading ? (
          " "
        ) : user ? (
          <>
            {creation.error ? t`The key could not be made.` : t`$FEATHER_API_KEY is one of your keys.`}{" "}
            <button
              type="button"
              className="link"
              onClick={() => void creation.run("Snippets")}
              disabled={creation.busy}
            >
              {t`Put a new one in`}
            </button>
          </>
        ) : (
          <Trans>
            <Link className="link" to={paths.register(pathname)}>
              Sign up
            </Link>{" "}
            for a key of your own.
          </Trans>
        )}
      </p>
    </div>
  );
}
