import type { Prompt } from "@feather/sdk";
import { promptVariables } from "@feather/sdk/prompts";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router-dom";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import { ErrorNotice } from "#/components/ui/feedback/error-notice.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { paths } from "#/config/paths.ts";
import { LibraryOptions } from "./library-options.tsx";
import { type PromptKind, promptsQuery } from "./queries.ts";
import { VariablesForm } from "./variables-form.tsx";

type Props = {
  kind: PromptKind;
  /** Receives the persona, or the prompt with its text, in which variables have their values. */
  choose(prompt: Prompt): void;
  close(): void;
};

/** Chooses a prompt or a persona by search and keyboard. A prompt with variables asks for their values. */
export function LibraryPicker({ kind, choose, close }: Props) {
  const { data, error, isPending, refetch } = useQuery(promptsQuery);
  const [filling, setFilling] = useState<Prompt | null>(null);
  const title = filling ? filling.name : kind === "message" ? t`Prompts` : t`Personas`;
  const pick = (prompt: Prompt) => {
    if (kind === "message" && promptVariables(prompt.text).length > 0) setFilling(prompt);
    else choose(prompt);
  };
  return (
    <Dialog open onClose={close} title={title}>
      {isPending ? <Skeleton height={160} /> : null}
      <ErrorNotice error={error}>
        <button type="button" className="btn" onClick={() => void refetch()}>
          {t`Try again`}
        </button>
      </ErrorNotice>
      {filling ? (
        <VariablesForm
          text={filling.text}
          submit={(text) => choose({ ...filling, text })}
          cancel={() => setFilling(null)}
        />
      ) : data ? (
        <>
          <LibraryOptions prompts={data.items.filter((prompt) => prompt.kind === kind)} kind={kind} choose={pick} />
          <p className="mt-4">
            <Link className="link" to={paths.prompts}>
              {t`Write and change prompts and personas`}
            </Link>
          </p>
        </>
      ) : null}
    </Dialog>
  );
}
