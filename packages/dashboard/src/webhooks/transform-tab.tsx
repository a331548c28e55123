import { useQuery, useQueryClient } from "@tanstack/react-query";
import { History, Save } from "lucide-react";
import { lazy, Suspense, useMemo, useState } from "react";
import { WHY_NOT } from "../api/me.ts";
import { type TestInput, testQuery, type Webhook } from "../api/webhooks.ts";
import { Button } from "../parts/button.tsx";
import { CodeEditor, type CodeProblem } from "../parts/code-editor.tsx";
import { useShortcut } from "../parts/shortcuts.ts";
import { useDebounced } from "./debounced.ts";
import { TesterFieldsPane } from "./tester-fields.tsx";
import { useTesterInput } from "./tester-input.ts";
import { TesterResult } from "./tester-result.tsx";
import { type Draft, draftOf, rangeOf } from "./transform-draft.ts";
import { useWebhookSearch } from "./webhook-search.ts";

const SaveDialog = lazy(() => import("./save-dialog.tsx"));
const VersionsDialog = lazy(() => import("./versions-dialog.tsx"));

/** Pause after the last key before the transform is run, ms. */
const TEST_DELAY_MS = 350;
const NO_INPUT: TestInput = { body: "", body_encoding: "utf8", headers: {}, query: "" };
const NO_PROBLEMS: CodeProblem[] = [];

interface TransformTabProps {
  webhook: Webhook;
  draft: Draft | null;
  onDraft(draft: Draft | null): void;
  mayManage: boolean;
}

/** The code that makes events of requests, and beside it what it makes of one. */
export function TransformTab({ webhook, draft, onDraft, mayManage }: TransformTabProps) {
  const [search, change] = useWebhookSearch();
  const [saving, setSaving] = useState(false);
  const [goTo, setGoTo] = useState<{ at: number } | null>(null);
  const queries = useQueryClient();
  const text = draft?.text ?? webhook.transform;
  const input = useTesterInput(webhook, search);
  const asked = useDebounced(
    useMemo(() => JSON.stringify({ text, sent: input.sent }), [text, input.sent]),
    TEST_DELAY_MS,
  );
  const settled = useMemo(() => JSON.parse(asked) as { text: string; sent: typeof input.sent }, [asked]);
  const test = useQuery({
    ...testQuery(settled.text, settled.sent ?? NO_INPUT),
    enabled: mayManage && settled.sent !== null && settled.text !== "",
  });
  const error = test.data?.error ?? null;
  const problems = useMemo(() => {
    if (error === null || error.line === null) return NO_PROBLEMS;
    return [{ ...rangeOf(settled.text, { line: error.line, column: error.column }), message: error.message }];
  }, [error, settled.text]);
  const overtaken = draft !== null && draft.base !== webhook.version;
  useShortcut(
    { keys: "mod+s", label: "Save the transform", group: "Webhook" },
    mayManage ? () => draft !== null && setSaving(true) : null,
  );

  return (
    <div className="flex min-h-full flex-col lg:h-full lg:min-h-0 lg:flex-row">
      <section aria-label="Transform" className="flex min-w-0 flex-1 flex-col lg:min-h-0 lg:border-r">
        <div className="flex min-h-11 flex-wrap items-center gap-2 px-4 py-1.5">
          <span className="flex-1 text-muted">
            {draft === null ? `Version ${webhook.version}` : `Version ${draft.base}, changed`}
          </span>
          <Button icon={<History size={13} aria-hidden />} onClick={() => change({ version: "all" }, false)}>
            History
          </Button>
          {draft !== null && (
            <Button look="quiet" onClick={() => onDraft(null)}>
              Discard
            </Button>
          )}
          <Button
            look="primary"
            icon={<Save size={13} aria-hidden />}
            disabled={!mayManage || draft === null}
            title={mayManage ? undefined : WHY_NOT.manage}
            onClick={() => setSaving(true)}
          >
            Save…
          </Button>
        </div>
        {overtaken && (
          <p role="status" className="border-t bg-accent-soft px-4 py-2">
            Version {webhook.version} was saved meanwhile. Your changes are made of version {draft.base}: Save
            shows the difference before anything is written over.
          </p>
        )}
        <div className="min-h-0 flex-1 px-4 pb-4 max-lg:h-[420px] max-lg:flex-none">
          <CodeEditor
            label="Transform code"
            value={text}
            onChange={(next) => onDraft(draftOf(next, draft, webhook))}
            language="typescript"
            readOnly={!mayManage}
            problems={problems}
            goTo={goTo}
            height="100%"
          />
        </div>
      </section>
      <section
        aria-label="Tester"
        className="flex min-w-0 flex-col max-lg:border-t lg:min-h-0 lg:w-[46%] lg:overflow-y-auto"
      >
        {mayManage ? (
          <>
            <TesterFieldsPane input={input} />
            <TesterResult
              result={test.data}
              pending={test.isFetching || settled.text !== text}
              problem={input.error ?? test.error}
              onRetry={() => void queries.invalidateQueries({ queryKey: ["webhooks", "test"] })}
              onPlace={(place) => setGoTo({ at: rangeOf(text, place).from })}
            />
          </>
        ) : (
          <p className="px-4 py-6 text-muted">
            Trying a transform takes the right to manage webhooks. {WHY_NOT.manage}
          </p>
        )}
      </section>
      <Suspense>
        {saving && draft !== null && (
          <SaveDialog
            webhook={webhook}
            draft={draft}
            onClose={() => setSaving(false)}
            onSaved={() => {
              setSaving(false);
              onDraft(null);
            }}
            onTakeTheirs={() => {
              setSaving(false);
              onDraft(null);
            }}
          />
        )}
        {search.version !== undefined && (
          <VersionsDialog
            webhook={webhook}
            mayManage={mayManage}
            unsaved={draft !== null}
            chosen={Number.parseInt(search.version, 10)}
            onChoose={(version) => change({ version: String(version) })}
            onClose={() => change({ version: undefined })}
            onRestored={() => onDraft(null)}
          />
        )}
      </Suspense>
    </div>
  );
}
