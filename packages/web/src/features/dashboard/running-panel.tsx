import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { ModelId } from "#/components/ui/labels/model-id.tsx";
import { Panel } from "#/components/ui/lists/panel.tsx";
import { PanelList } from "#/components/ui/lists/panel-list.tsx";
import { Loaded } from "#/components/ui/loading/loaded.tsx";
import { paths } from "#/config/paths.ts";
import { formatAvailability } from "#/entities/models/availability.ts";
import { withoutNeedlessDemo } from "#/entities/models/default-model.ts";
import { runningModelsQuery } from "#/entities/models/running-query.ts";

const MAX_MODELS = 5;

/** The models that answer at once, and those that are being downloaded or loaded. */
export function RunningPanel() {
  const query = useQuery(runningModelsQuery);
  return (
    <Panel title={t`Warm models`} more={{ label: t`All models`, to: paths.models() }}>
      <Loaded subject={t`Warm models`} query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="muted">{t`None just now. A model is warm as soon as something that runs it is found.`}</p>
          ) : (
            <PanelList>
              {withoutNeedlessDemo(items)
                .slice(0, MAX_MODELS)
                .map(({ id, availability }) => (
                  <li key={id}>
                    <Link to={paths.model(id)}>
                      <ModelId id={id} />
                    </Link>
                    {availability.tier === "loading" ? (
                      <span className="small muted">{formatAvailability(availability)}</span>
                    ) : (
                      <Link className="link small" to={paths.chat(id)} aria-label={t`Chat with ${id}`}>
                        {t`Chat`}
                      </Link>
                    )}
                  </li>
                ))}
            </PanelList>
          )
        }
      </Loaded>
    </Panel>
  );
}
