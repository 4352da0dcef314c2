import type { ModelDetail } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Link } from "react-router-dom";
import { TerminalCommand } from "#/components/ui/code/terminal-command.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { paths } from "#/config/paths.ts";
import { isBaseModel } from "#/entities/models/base-model.ts";
import { DEMO_MODEL_ID, GUIDE_MODEL_ID } from "#/entities/models/default-model.ts";
import { listElsewhere } from "#/entities/models/hosted.ts";
import { useUser } from "#/entities/session/user.ts";
import { formatWaitText } from "../answering/wait-text.ts";
import styles from "../chat.module.css";
import type { ChosenModels } from "../composer/use-chat-models.ts";
import { ExampleConversation } from "./example-conversation.tsx";
import { VisitorWelcome } from "./visitor-welcome.tsx";

const BUILT_IN_MODELS = [GUIDE_MODEL_ID, DEMO_MODEL_ID];
const PULL_COMMAND = "feather run Qwen/Qwen3-0.6B";

type Props = { models: ChosenModels; signedOut: boolean; isHistoryStored: boolean };

/** Shown in a conversation without messages. */
export function Welcome({ models, signedOut, isHistoryStored }: Props) {
  const { ids, isDefault, foundModels, displayNames, notWarm, unknownModels } = models;
  if (signedOut && isDefault) return <VisitorWelcome />;
  if (ids.length === 0) return <Skeleton height={120} />;
  return (
    <div className={styles.welcome}>
      {unknownModels.length > 0 ? (
        <UnknownModels models={unknownModels} />
      ) : (
        <p className="h2">
          <Trans>Talk to {displayNames}</Trans>
        </p>
      )}
      {notWarm.map(({ id, name, availability }) => (
        <p key={id} className="muted mt-3">
          {name}: {formatWaitText(availability, new Date())}{" "}
          {availability.tier === "offline"
            ? t`Choose another below.`
            : t`You can ask already; the answer waits for it.`}
        </p>
      ))}
      {foundModels.map((model) => (
        <Elsewhere key={model.id} model={model} />
      ))}
      {foundModels.filter(isBaseModel).map(({ id, name }) => (
        <p key={id} className="notice mt-3">
          {t`${name} is a base model: it continues texts and was not trained to converse. It may not answer what you ask.`}
        </p>
      ))}
      {ids.length === 1 && ids[0] !== undefined && BUILT_IN_MODELS.includes(ids[0]) ? (
        <BuiltInModelNotice id={ids[0]} />
      ) : null}
      <p className="muted mt-3">
        {isHistoryStored
          ? t`What you write goes to the model and is kept in this browser only.`
          : t`What you write goes to the model and is kept nowhere.`}
      </p>
      {signedOut ? <ExampleConversation /> : null}
    </div>
  );
}

/** Says that what people write to a model may leave this server, and where it goes. */
function Elsewhere({ model }: { model: ModelDetail }) {
  const { name, hosted } = model;
  const elsewhere = listElsewhere(model);
  if (elsewhere === null) return null;
  return (
    <p className="muted mt-3">
      {hosted.includes("here")
        ? t`${name} answers here or elsewhere, at ${elsewhere}. What you write may leave this server.`
        : t`${name} answers elsewhere, at ${elsewhere}. What you write leaves this server.`}
    </p>
  );
}

/** Names requested models that do not exist, with suggestions. */
function UnknownModels({ models }: { models: ChosenModels["unknownModels"] }) {
  return models.map(({ id, suggestions }) => (
    <div key={id}>
      <p className="h2 user-text">
        <Trans>This server knows no model {id}</Trans>
      </p>
      {suggestions.length > 0 ? (
        <p className="muted mt-3">
          {t`Did you mean one of these?`}{" "}
          {suggestions.map((suggestion) => (
            <Link key={suggestion} className="link me-3" to={paths.chat(suggestion)}>
              {suggestion}
            </Link>
          ))}
        </p>
      ) : null}
    </div>
  ));
}

/** Explains a built-in model, and how to get a larger one. */
function BuiltInModelNotice({ id }: { id: string }) {
  const { user } = useUser();
  const admin = user?.is_admin === true;
  return (
    <>
      <p className="muted mt-3">
        {id === GUIDE_MODEL_ID
          ? t`This is the guide: a small model of about four million parameters that comes with Feather and runs on this machine. It answers questions about Feather, in English, and nothing else. Try “How do I make an API key?” It sometimes takes one question for another: the docs are right.`
          : t`This is the demonstration model: it runs for real, on this machine, but only knows how to introduce itself.`}
      </p>
      <h2 className="label mt-5">{t`One step to a larger model`}</h2>
      <ul className={styles.toLarger}>
        <li>
          <Trans>
            Start Ollama, vLLM or llama-server on this machine: their models appear here within half a minute.
          </Trans>
        </li>
        <li>
          {admin ? (
            <Link className="link" to={"/admin/downloads"}>
              {t`Download one from the hub`}
            </Link>
          ) : (
            t`An admin downloads one from the hub:`
          )}
          <TerminalCommand command={PULL_COMMAND} distance="closest" />
        </li>
        <li>
          <Trans>
            Have an address that speaks OpenAI's protocol?{" "}
            <Link className="link" to={admin ? "/admin/backends" : paths.docs("backends")}>
              Add it as a backend
            </Link>
            .
          </Trans>
        </li>
      </ul>
    </>
  );
}
