import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation } from "react-router-dom";
import { CodeTabs } from "#/components/ui/code.tsx";
import { paths } from "#/config/paths.ts";
import { useUser } from "#/entities/session/user.ts";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";
import { createCallSamples } from "./call-samples.ts";

/** Code samples that call a model, with a button that creates a key and inserts it. */
export function CallSnippets({ model }: { model: string }) {
  const { user, loading } = useUser();
  const client = useQueryClient();
  const { pathname } = useLocation();
  const [key, setKey] = useState<string | null>(null);
  const [state, setState] = useState<"idle" | "making" | "failed">("idle");

  async function createKey(): Promise<void> {
    setState("making");
    try {
      const { secret } = await feather.apiKeys.create({ name: "Snippets" });
      setKey(secret);
      setState("idle");
      await client.invalidateQueries({ queryKey: queries.apiKeys.key() });
    } catch {
      setState("failed");
    }
  }

  return (
    <div className="snippets">
      <CodeTabs samples={createCallSamples(model, location.origin, key)} />
      <p className="small dim" role="status">
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
            {state === "failed" ? t`The key could not be made.` : t`$FEATHER_API_KEY is one of your keys.`}{" "}
            <button type="button" className="link" onClick={() => void createKey()} disabled={state === "making"}>
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
