import type { ModelDetail } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Link } from "react-router-dom";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { paths } from "#/config/paths.ts";
import { isBaseModel } from "#/entities/models/base-model.ts";
import { isBuiltIn } from "#/entities/models/default-model.ts";
import { listElsewhere } from "#/entities/models/place-names.ts";
import { formatWaitText } from "../answering/wait-text.ts";
import styles from "../chat.module.css";
import type { ChosenModels } from "../composer/use-chat-models.ts";
import type { ChatStorage } from "../conversation/chat-owner.ts";
import { BuiltInModelNotice } from "./built-in-model-notice.tsx";
import { ExampleConversation } from "./example-conversation.tsx";
import { VisitorWelcome } from "./visitor-welcome.tsx";

type Props = { models: ChosenModels; signedOut: boolean; storage: ChatStorage };

/** Shown in a conversation without messages. */
export function Welcome({ models, signedOut, storage }: Props) {
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
      {ids.length === 1 && ids[0] !== undefined && isBuiltIn({ id: ids[0] }) ? (
        <BuiltInModelNotice id={ids[0]} />
      ) : null}
      <p className="muted mt-3">
        {storage === "server"
          ? t`What you write goes to the model. This server keeps it for you, encrypted, so that all your devices have it.`
          : storage === "browser"
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
