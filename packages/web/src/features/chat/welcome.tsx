import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Link } from "react-router-dom";
import { Skeleton } from "#/components/ui/bits.tsx";
import { paths } from "#/config/paths.ts";
import { type ChosenModels, DEMO } from "./use-models.ts";
import { waitingText } from "./waiting.ts";

type Props = { models: ChosenModels; signedOut: boolean; kept: boolean; here: string };

/** What stands where nothing has been said yet. */
export function Welcome({ models, signedOut, kept, here }: Props) {
  const { ids, names, waiting } = models;
  if (ids.length === 0) return <Skeleton height={120} />;
  return (
    <div className="welcome">
      <p className="h2">
        <Trans>Talk to {names}</Trans>
      </p>
      {waiting.map(({ id, name, availability }) => (
        <p key={id} className="mid mt-3">
          {name}: {waitingText(availability, new Date())}{" "}
          {availability.tier === "offline"
            ? t`Choose another below.`
            : t`You can ask already; the answer waits for it.`}
        </p>
      ))}
      {ids.length === 1 && ids[0] === DEMO ? <AboutDemo /> : null}
      <p className="mid mt-3">
        {kept
          ? t`What you write goes to the model and is kept in this browser only.`
          : t`What you write goes to the model and is kept nowhere.`}
      </p>
      {signedOut ? (
        <p className="row mt-6">
          <Link className="btn primary" to={paths.login(here)}>
            {t`Log in`}
          </Link>
          <Link className="btn" to={paths.register(here)}>
            {t`Sign up`}
          </Link>
        </p>
      ) : null}
    </div>
  );
}

function AboutDemo() {
  return (
    <p className="mid mt-3">
      <Trans>
        This is the demonstration model: it runs for real, on this machine, but only knows how to introduce itself.
        Start Ollama, vLLM or llama-server here and its models appear within half a minute, or{" "}
        <Link className="link" to={paths.docs("backends")}>
          add a backend by its address
        </Link>
        .
      </Trans>
    </p>
  );
}
