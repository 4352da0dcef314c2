import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Link } from "react-router-dom";
import { CodeTabs } from "#/components/ui/code/code-tabs.tsx";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import { paths } from "#/config/paths.ts";
import { toRequest } from "../answering/request.ts";
import type { ChatSettings } from "../conversation/settings.ts";
import type { Turn } from "../conversation/tree.ts";
import type { Question } from "../conversation/types.ts";
import styles from "./code-dialog.module.css";
import { createRequestSamples } from "./code-samples.ts";

type Props = {
  open: boolean;
  onClose(): void;
  turns: readonly Turn[];
  settings: ChatSettings;
  models: readonly string[];
  draft: string;
};

/** Shows the next request of the chat as code for several clients. */
export function CodeDialog({ open, onClose, turns, settings, models, draft }: Props) {
  const [model = ""] = models;
  const draftText = draft.trim() || (turns.length === 0 ? "Hello" : "");
  const previewTurns = draftText === "" ? turns : [...turns, toDraftTurn(draftText, model)];
  const body = open ? toRequest({ turns: previewTurns, settings, model, lane: 0 }) : null;
  return (
    <Dialog open={open} onClose={onClose} title={t`The same call as code`}>
      {body ? (
        <div className={`mt-4 ${styles.codeTwins}`}>
          <CodeTabs samples={createRequestSamples(body, globalThis.location.origin)} />
          <p className="small muted mt-3">
            <Trans>
              It needs an{" "}
              <Link className="link" to={paths.apiKeys}>
                API key
              </Link>
              . Pictures are shortened.
            </Trans>
          </p>
        </div>
      ) : null}
    </Dialog>
  );
}

function toDraftTurn(text: string, model: string): Turn {
  const question: Question = {
    kind: "question",
    id: "draft",
    conversation: "",
    after: [],
    models: [model],
    text,
    attachments: [],
    results: [],
    createdAt: 0,
  };
  return { question, siblings: [], lanes: [], passages: [] };
}
