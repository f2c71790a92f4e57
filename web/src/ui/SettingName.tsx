import { type HelpTopic, SettingHelp } from './HelpLink.tsx';

/** The name above a choice of few, with the way to what the help says about it. */
export function SettingName({ name, topic }: { name: string; topic: HelpTopic }) {
  return (
    <span className="-my-1 flex items-center">
      <span className="text-label font-medium">{name}</span>
      <SettingHelp topic={topic} />
    </span>
  );
}
