import type { ToolServer, ToolServerTools } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type FormEvent, useId, useState } from "react";
import { ChoiceList } from "#/components/ui/controls/choice-list.tsx";
import { ErrorNotice } from "#/components/ui/feedback/error-notice.tsx";
import { CheckboxField } from "#/components/ui/forms/checkbox-field.tsx";
import { useAction } from "#/lib/use-action.ts";
import { listChangedKeys, type Owner, serversOf, toRequest } from "./owner.ts";

type Props = {
  owner: Owner;
  server: ToolServer;
  /** What the server has, at least one tool. */
  tools: ToolServerTools["items"];
  /** Whether saving also switches the server on. */
  switchesOn: boolean;
  close(): void;
};

/** Chooses whether all tools of a server may be called, or those that are ticked. */
export function AllowedToolsForm({ owner, server, tools, switchesOn, close }: Props) {
  const errorId = useId();
  const [choosesAll, setChoosesAll] = useState(server.allowed_tools === null);
  const [chosen, setChosen] = useState<readonly string[]>(server.allowed_tools ?? []);
  const [hasTried, setHasTried] = useState(false);
  const isMissing = !choosesAll && chosen.length === 0;
  const save = useAction(
    (allowed_tools: string[] | null) =>
      serversOf(owner).set(server.name, {
        ...toRequest(server),
        allowed_tools,
        is_enabled: switchesOn || server.is_enabled,
      }),
    {
      success: ({ name }) => (switchesOn ? t`${name} is switched on` : t`The tools of ${name} are changed`),
      invalidates: listChangedKeys(owner),
      onSuccess: close,
      showsError: true,
    },
  );
  function submit(event: FormEvent): void {
    event.preventDefault();
    setHasTried(true);
    if (!isMissing) void save.run(choosesAll ? null : [...chosen]);
  }
  return (
    <form onSubmit={submit} noValidate>
      <ErrorNotice error={save.error} />
      <ChoiceList legend={t`Which may be called`} describedBy={errorId}>
        <label>
          <input type="radio" name="which" checked={choosesAll} onChange={() => setChoosesAll(true)} />
          <span>{t`All, also those that it gets later`}</span>
        </label>
        <label>
          <input type="radio" name="which" checked={!choosesAll} onChange={() => setChoosesAll(false)} />
          <span>{t`Only the ticked ones`}</span>
        </label>
      </ChoiceList>
      <ToolBoxes tools={tools} chosen={choosesAll ? null : chosen} setChosen={setChosen} />
      <p id={errorId} className="error-text" role="alert">
        {hasTried && isMissing ? t`Tick one tool at least.` : null}
      </p>
      <div className="actions">
        <button type="button" className="btn" onClick={close}>
          {t`Cancel`}
        </button>
        <button type="submit" className="btn primary" disabled={save.busy} aria-busy={save.busy}>
          {switchesOn ? t`Save and switch on` : t`Save`}
        </button>
      </div>
    </form>
  );
}

type BoxesProps = Pick<Props, "tools"> & {
  /** The ticked tools; null where all may be called. */
  chosen: readonly string[] | null;
  setChosen(names: readonly string[]): void;
};

/** The tools with their descriptions, and those that are allowed though the server has them no longer. */
function ToolBoxes({ tools, chosen, setChosen }: BoxesProps) {
  const toggle = (name: string, isOn: boolean) =>
    setChosen(isOn ? [...(chosen ?? []), name] : (chosen ?? []).filter((one) => one !== name));
  const gone = chosen?.filter((name) => !tools.some((tool) => tool.name === name)) ?? [];
  return (
    <>
      {tools.map(({ name, title, description }) => (
        <CheckboxField
          key={name}
          label={title === null ? name : `${title} (${name})`}
          hint={description === null ? undefined : <span className="user-text">{description}</span>}
          checked={chosen?.includes(name) ?? true}
          disabled={chosen === null}
          onChange={({ target }) => toggle(name, target.checked)}
        />
      ))}
      {gone.map((name) => (
        <CheckboxField
          key={name}
          label={name}
          hint={t`The server has it no longer.`}
          checked
          onChange={() => toggle(name, false)}
        />
      ))}
    </>
  );
}
