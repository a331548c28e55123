import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { RotateCcw } from "lucide-react";
import { useState } from "react";
import { restoreVersion, type Version, versionsQuery, type Webhook } from "../api/webhooks.ts";
import { Button } from "../parts/button.tsx";
import { classNames } from "../parts/class-names.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Select } from "../parts/field.tsx";
import { ErrorState, Skeleton } from "../parts/states.tsx";
import { Time } from "../parts/time.tsx";
import { toast, toastError } from "../parts/toast.tsx";
import { DiffView } from "./diff-view.tsx";

interface VersionsDialogProps {
  webhook: Webhook;
  mayManage: boolean;
  /** Whether there are changes that a restored version would replace. */
  unsaved: boolean;
  /** Number of the version that is looked at; NaN for the one before the last. */
  chosen: number;
  onChoose(version: number): void;
  onClose(): void;
  onRestored(): void;
}

type Against = "previous" | "current";

/** The history of a transform: what each version changed, and how to go back to one. */
export default function VersionsDialog(props: VersionsDialogProps) {
  const { webhook, mayManage, unsaved, chosen, onChoose, onClose, onRestored } = props;
  const versions = useInfiniteQuery(versionsQuery(webhook.id));
  const [against, setAgainst] = useState<Against>("previous");
  const [busy, setBusy] = useState(false);
  const queries = useQueryClient();
  const rows = versions.data?.pages.flatMap(({ data }) => data) ?? [];
  const version =
    rows.find((each) => each.version === chosen) ?? (Number.isNaN(chosen) ? rows[0] : undefined);
  const previous = version && rows.find((each) => each.version === version.version - 1);

  const restore = async ({ version: number }: Version) => {
    setBusy(true);
    try {
      await restoreVersion(webhook.id, number);
      await queries.invalidateQueries({ queryKey: ["webhooks"] });
      toast("done", `Version ${number} is in use again, as version ${webhook.version + 1}.`);
      onRestored();
      onClose();
    } catch (error) {
      toastError(error);
      setBusy(false);
    }
  };

  return (
    <Dialog
      title="Versions of the transform"
      size="large"
      onClose={onClose}
      footer={
        version !== undefined &&
        mayManage && (
          <>
            {unsaved && <span className="text-muted">Your unsaved changes would be lost.</span>}
            <Button
              icon={<RotateCcw size={13} aria-hidden />}
              look={unsaved ? "danger" : "primary"}
              disabled={busy || version.current}
              onClick={() => void restore(version)}
            >
              {version.current ? "In use" : `Restore version ${version.version}`}
            </Button>
          </>
        )
      }
    >
      {versions.isError ? (
        <ErrorState error={versions.error} onRetry={() => void versions.refetch()} />
      ) : versions.isPending ? (
        <Skeleton className="h-40 w-full" />
      ) : (
        <div className="flex flex-col gap-4 sm:flex-row">
          <ol className="flex max-h-48 shrink-0 flex-col gap-px overflow-y-auto sm:max-h-[56vh] sm:w-44">
            {rows.map((each) => (
              <li key={each.version}>
                <button
                  type="button"
                  aria-pressed={each.version === version?.version}
                  onClick={() => onChoose(each.version)}
                  className={classNames(
                    "flex w-full flex-col rounded-md px-2 py-1 text-left hover:bg-hover",
                    each.version === version?.version && "bg-accent-soft hover:bg-accent-soft",
                  )}
                >
                  <span className="flex gap-2">
                    <span className="flex-1 font-medium">Version {each.version}</span>
                    {each.current && <span className="text-xs text-accent">in use</span>}
                  </span>
                  <span className="text-xs text-muted">
                    <Time at={each.created_at} />
                    {each.created_by !== null && `, ${each.created_by}`}
                    {each.restored_from !== null && `, from ${each.restored_from}`}
                  </span>
                </button>
              </li>
            ))}
            {versions.hasNextPage && (
              <Button
                look="quiet"
                disabled={versions.isFetchingNextPage}
                onClick={() => void versions.fetchNextPage()}
              >
                Older ones
              </Button>
            )}
          </ol>
          <div className="flex min-w-0 flex-1 flex-col gap-2">
            {version === undefined ? (
              <p className="text-muted">
                Version {chosen} is not among the ones shown. The last 200 are kept.
              </p>
            ) : (
              <>
                <Select
                  label="Compared with"
                  hiddenLabel
                  value={against}
                  onChange={(event) => setAgainst(event.target.value as Against)}
                  className="w-64 max-w-full"
                >
                  <option value="previous">What it changed</option>
                  <option value="current">What restoring it would change</option>
                </Select>
                <DiffView
                  key={`${version.version} ${against}`}
                  label={`Changes of version ${version.version}`}
                  before={against === "previous" ? (previous?.transform ?? "") : webhook.transform}
                  after={version.transform}
                  same={
                    against === "previous"
                      ? "It is the same as the version before."
                      : "It is the same as the version in use."
                  }
                  maxHeight="52vh"
                />
              </>
            )}
          </div>
        </div>
      )}
    </Dialog>
  );
}
