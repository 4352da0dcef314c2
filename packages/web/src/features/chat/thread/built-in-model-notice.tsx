import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { TerminalCommand } from "#/components/ui/code/terminal-command.tsx";
import { paths } from "#/config/paths.ts";
import { formatAvailability } from "#/entities/models/availability.ts";
import { GUIDE_MODEL_ID } from "#/entities/models/default-model.ts";
import { runningModelsQuery } from "#/entities/models/running-query.ts";
import { useUser } from "#/entities/session/user.ts";
import styles from "../chat.module.css";

const PULL_COMMAND = "feather run Qwen/Qwen3-0.6B";

/** Explains a built-in model, names larger ones that are on their way, and says how to get one. */
export function BuiltInModelNotice({ id }: { id: string }) {
  const { user } = useUser();
  return (
    <>
      <p className="muted mt-3">
        {id === GUIDE_MODEL_ID
          ? t`This is the guide: a small model of about four million parameters that comes with Feather and runs on this machine. It answers questions about Feather, in English, and nothing else. Try “How do I make an API key?” It sometimes takes one question for another: the docs are right.`
          : t`This is the demonstration model: it runs for real, on this machine, but only knows how to introduce itself.`}
      </p>
      <h2 className="label mt-5">{t`One step to a larger model`}</h2>
      <ul className={styles.toLarger}>
        <ModelsOnTheirWay />
        {user?.is_admin ? <AdminSteps /> : <UserSteps />}
      </ul>
    </>
  );
}

/** The models that are being downloaded or loaded, which can be chosen already. */
function ModelsOnTheirWay() {
  const { data } = useQuery(runningModelsQuery);
  const loading = data?.items.filter(({ availability }) => availability.tier === "loading") ?? [];
  return loading.map(({ id, availability }) => (
    <li key={id} role="status">
      <Link className="link" to={paths.chat(id)}>
        {id}
      </Link>
      : {formatAvailability(availability)}
    </li>
  ));
}

function UserSteps() {
  return (
    <li>
      <Trans>
        Choose one in the{" "}
        <Link className="link" to={paths.models()}>
          catalogue
        </Link>{" "}
        and ask for it on its page: the admins of this server see that.
      </Trans>
    </li>
  );
}

function AdminSteps() {
  return (
    <>
      <li>
        <Trans>
          Start Ollama, vLLM or llama-server on this machine: their models appear here within half a minute.
        </Trans>
      </li>
      <li>
        <Link className="link" to="/admin/downloads">
          {t`Download one from the hub`}
        </Link>
        <TerminalCommand command={PULL_COMMAND} distance="closest" />
      </li>
      <li>
        <Link className="link" to="/admin/backends/create">
          {t`Connect a provider or another server`}
        </Link>
      </li>
    </>
  );
}
