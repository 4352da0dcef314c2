import { t } from "@lingui/core/macro";
import { Link } from "react-router-dom";
import { AssistantPage } from "#/features/landing/assistant-page.tsx";

/** How to use this server in Roo Code. */
export default function RooCodePage() {
  return (
    <AssistantPage
      name="Roo Code"
      lede={t`Roo Code brings modes to your editor: one that plans, one that writes, one that looks for faults. Each mode can have a model of its own from this server.`}
      steps={[
        {
          title: t`Install Roo Code`,
          text: t`In VS Code, open Extensions, search for Roo Code and install it.`,
        },
        {
          title: t`Make a profile`,
          text: t`In its settings, under Providers, add a configuration profile and take OpenAI Compatible as the API provider.`,
        },
        {
          title: t`Fill in the fields`,
          text: t`Base URL, API key and Model as they stand at the top of this page, and the context window size. Leave streaming on.`,
        },
        {
          title: t`Give each mode its model`,
          text: t`Make a second profile with a larger model for Architect and a faster one for Code, and choose them in the modes. Both use the same key.`,
          more: (
            <Link className="link" to="/models?tags=code%2Ctool-use&sort=-parameter_size">
              {t`The largest first`}
            </Link>
          ),
        },
      ]}
      questions={[
        {
          question: t`How many units does Roo Code take?`,
          answer: t`One request at a time in each window, so as many as the model costs. Two windows at work need twice that.`,
        },
        {
          question: t`Does changing modes count as changing models?`,
          answer: t`Yes, when their models differ. Some plans allow so many different models a minute; calling the same ones again is free.`,
        },
        {
          question: t`It stops with “All units are in use”`,
          answer: t`Something else of your organization runs at the same moment. Wait for it, or give that program’s key a share with max_concurrency.`,
        },
        {
          question: t`The answer ends in the middle`,
          answer: t`The context is full. Enter the context window as it stands above, so that Roo Code shortens the conversation in time.`,
        },
      ]}
    />
  );
}
