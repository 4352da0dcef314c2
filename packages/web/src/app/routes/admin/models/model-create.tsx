import { t } from "@lingui/core/macro";
import { useSearchParams } from "react-router-dom";
import { PageHeader } from "#/components/layouts/page-header.tsx";
import { CodeTabs } from "#/components/ui/code/code-tabs.tsx";
import styles from "#/features/admin/admin.module.css";
import { CustomModelForm } from "#/features/admin/models/custom-model-form.tsx";
import { ImportForm } from "#/features/admin/models/import-form.tsx";
import { adminPaths } from "#/features/admin/paths.ts";
import { Tabs } from "#/features/admin/tabs.tsx";

const TABS = [
  { value: "", label: t`From the hub` },
  { value: "own", label: t`By hand` },
];

/** Adds models to the catalogue: imported from the hub, or entered by hand (`?way=own`). */
export default function AdminCreateModelPage() {
  const [params] = useSearchParams();
  const isManual = params.get("way") === "own";
  return (
    <>
      <PageHeader
        title={t`Create model`}
        description={t`Read models from the hub with all their facts, or enter one that only you know.`}
        parentPage={{ label: t`Models`, to: adminPaths.models }}
      />
      <Tabs label={t`Way to create a model`} name="way" tabs={TABS} />
      <div className="mt-6">
        {isManual ? (
          <CustomModelForm />
        ) : (
          <ImportForm initial={(params.get("ids") ?? "").split(",").filter(Boolean).join("\n")} />
        )}
      </div>
      {isManual ? null : (
        <div className={`mt-8 ${styles.form}`}>
          <CodeTabs
            samples={[
              {
                name: "curl",
                code: `curl ${location.origin}/api/admin/models/import \\\n  -H "authorization: Bearer $FEATHER_API_KEY" \\\n  -H "content-type: application/json" \\\n  -d '{"ids": ["Qwen/Qwen3-8B"]}'`,
              },
              {
                name: "TypeScript",
                code: `await feather.admin.models.import({ ids: ["Qwen/Qwen3-8B"] });`,
              },
            ]}
          />
        </div>
      )}
    </>
  );
}
