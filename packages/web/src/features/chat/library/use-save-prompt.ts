import { createUuid, type Prompt, type PromptWrite } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useState } from "react";
import { type Action, useAction } from "#/lib/use-action.ts";
import { type PromptOwner, promptsQuery, writableBy } from "./queries.ts";

/**
 * Returns the action that stores a prompt, or a change of the version that is given. A new one has one id for as long as its form is
 * open, so that a repeated call stores it once.
 */
export function useSavePrompt(
  owner: PromptOwner,
  stored: Prompt | null,
  onSuccess: () => void,
): Action<Omit<PromptWrite, "version">, Prompt> {
  const [id] = useState(() => stored?.id ?? createUuid());
  return useAction(
    (fields: Omit<PromptWrite, "version">) => writableBy(owner).put(id, { ...fields, version: stored?.version ?? 0 }),
    {
      success: ({ name }) => (stored ? t`${name} is changed` : t`${name} is stored`),
      invalidates: [promptsQuery.queryKey],
      onSuccess,
    },
  );
}
