import { Dialog } from "../parts/dialog.tsx";
import { Keys } from "../parts/keys.tsx";
import { activeShortcuts } from "../parts/shortcuts.ts";

/** What can be pressed here. */
export default function ShortcutList({ onClose }: { onClose(): void }) {
  const groups = Map.groupBy(activeShortcuts(), (shortcut) => shortcut.group);
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose} size="large">
      <div className="columns-1 gap-8 sm:columns-2">
        {[...groups].map(([group, shortcuts]) => (
          <section key={group} className="mb-4 break-inside-avoid">
            <h3 className="pb-1 text-xs font-medium text-muted">{group}</h3>
            <dl>
              {shortcuts.map(({ keys, label }) => (
                <div key={keys} className="flex h-8 items-center justify-between border-b">
                  <dt>{label}</dt>
                  <dd>
                    <Keys text={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
