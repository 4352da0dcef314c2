import type { Tool, ToolList } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import { ErrorNotice } from "#/components/ui/feedback/error-notice.tsx";
import { CheckboxField } from "#/components/ui/forms/checkbox-field.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { paths } from "#/config/paths.ts";
import { queries } from "#/lib/queries.ts";
import { isOfferable, MAX_CHOSEN_TOOLS } from "../conversation/chosen-tools.ts";

type Props = { chosen: readonly string[]; setChosen(names: readonly string[]): void; onClose(): void };

const MAX_DESCRIPTION_CHARACTERS = 200;

/** Chooses the tools of the organization's servers that the model may call in this conversation. */
export function ToolPicker({ chosen, setChosen, onClose }: Props) {
  const { data, error, isPending, refetch } = useQuery(queries.tools.list.queryOptions());
  return (
    <Dialog open onClose={onClose} title={t`Tools in this chat`}>
      <p className="muted">{t`The model may ask for the ticked ones. You are asked before each is called.`}</p>
      {isPending ? <Skeleton height={120} /> : null}
      <ErrorNotice error={error}>
        <button type="button" className="btn" onClick={() => void refetch()}>
          {t`Try again`}
        </button>
      </ErrorNotice>
      {data ? <ToolChoice list={data} chosen={chosen} setChosen={setChosen} /> : null}
      <div className="actions">
        <button type="button" className="btn" onClick={onClose}>
          {t`Done`}
        </button>
      </div>
    </Dialog>
  );
}

type ChoiceProps = Pick<Props, "chosen" | "setChosen"> & { list: ToolList };

function ToolChoice({ list: { items, problems }, chosen, setChosen }: ChoiceProps) {
  const servers = [...new Set(items.map(({ server }) => server))];
  const gone = chosen.filter((name) => !items.some((tool) => tool.name === name));
  const toggle = (name: string, isOn: boolean) =>
    setChosen(isOn ? [...chosen, name] : chosen.filter((one) => one !== name));
  return (
    <>
      {servers.map((server) => (
        <fieldset key={server} className="mt-4">
          <legend className="label">{server}</legend>
          {items
            .filter((tool) => tool.server === server)
            .map((tool) => (
              <CheckboxField
                key={tool.name}
                label={tool.title ?? tool.name.slice(server.length + 2)}
                hint={describe(tool)}
                checked={chosen.includes(tool.name)}
                disabled={!isOfferable(tool) || (chosen.length >= MAX_CHOSEN_TOOLS && !chosen.includes(tool.name))}
                onChange={({ target }) => toggle(tool.name, target.checked)}
              />
            ))}
        </fieldset>
      ))}
      {gone.map((name) => (
        <CheckboxField
          key={name}
          label={name}
          hint={t`It is not there any more, and models cannot call it.`}
          checked
          onChange={() => toggle(name, false)}
        />
      ))}
      {problems.map(({ server, message }) => (
        <p key={server + message} className="notice quiet mt-4">
          <Trans>
            <b>{server}</b>: {message}
          </Trans>
        </p>
      ))}
      {items.length === 0 && problems.length === 0 ? (
        <p className="mt-4">
          <Trans>
            Your organization has no tools yet. Its admins register servers that have them:{" "}
            <Link to={paths.docs("tools")}>how that is done</Link>.
          </Trans>
        </p>
      ) : null}
    </>
  );
}

function describe(tool: Tool): string {
  if (!isOfferable(tool)) return t`Models cannot be offered a tool of this name.`;
  const text = tool.description ?? "";
  return text.length > MAX_DESCRIPTION_CHARACTERS ? `${text.slice(0, MAX_DESCRIPTION_CHARACTERS)}…` : text;
}
