import { t } from "@lingui/core/macro";
import { Link } from "react-router-dom";
import { AssistantPage } from "#/features/landing/assistant-page.tsx";

/** How to use this server in Cline. */
export default function ClinePage() {
  return (
    <AssistantPage
      name="Cline"
      lede={t`Cline works in your editor and asks a model what to do next. Point it at this server, and it works with every model that runs here, on your plan.`}
      steps={[
        {
          title: t`Install Cline`,
          text: t`In VS Code, open Extensions, search for Cline and install it. In JetBrains it is in the Marketplace.`,
        },
        {
          title: t`Choose “OpenAI Compatible”`,
          text: t`Open Cline’s settings with the gear, and take OpenAI Compatible as the API provider. Other providers send calls elsewhere.`,
        },
        {
          title: t`Fill in four fields`,
          text: t`Base URL, API key, Model ID and Context window, as they stand at the top of this page. Leave image support off unless the model takes pictures.`,
        },
        {
          title: t`Ask for something small`,
          text: t`Try “List the files of this folder and say what each is for”. The answer, its tokens and its units appear under Usage.`,
          more: (
            <Link className="link" to="/account/usage">
              {t`Usage`}
            </Link>
          ),
        },
      ]}
      questions={[
        {
          question: t`How many units does Cline take?`,
          answer: t`One request at a time, so as many as the model costs: one, two or four. Plan and Act together never hold more than one request.`,
        },
        {
          question: t`It stops with “All units are in use”`,
          answer: t`Something else of your organization runs at the same moment. Wait for it, or give that program’s key a share with max_concurrency.`,
        },
        {
          question: t`It says that the tools are not supported`,
          answer: t`The model’s template has none. Choose one from the list above, whose publishers say that it takes tools.`,
        },
        {
          question: t`The first answer takes long`,
          answer: t`A cold model is loaded by the first call. Cline tries again by itself; warm models answer at once.`,
        },
      ]}
    />
  );
}
