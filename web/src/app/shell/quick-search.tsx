import { Combobox, Kbd, Loader, Modal, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { formatNumber } from '../../lib/format.ts';
import { MarkedText } from '../../ui/marked-text.tsx';
import classes from './quick-search.module.css';
import { type Hit, textOf, useHits } from './quick-search-hits.ts';

function messageFor({ groups, count, isSearching, failure, corrected }: ReturnType<typeof useHits>): string {
  if (failure) return failure;
  if (isSearching) return 'Searching...';
  if (corrected) return `Showing results for ${corrected}`;
  if (!count) return '';
  const { total, isCapped } = count;
  if (total === 0) return groups.length > 0 ? 'No customers or documents found' : 'Nothing found';
  const results = `${formatNumber(total)} ${total === 1 ? 'result' : 'results'}`;
  return isCapped ? `More than ${results}` : results;
}

export function QuickSearch({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  /** The hit picked with the arrow keys; until then, the first one is selected. */
  const [pickedPath, setPickedPath] = useState<string>();
  const [isEnterPending, setIsEnterPending] = useState(false);
  const navigate = useNavigate();
  const id = useId();
  const found = useHits(text);
  const hits = found.groups.flatMap((group) => group.hits);
  const options = [...hits, ...found.showAll];
  // Never 'Show all results' while there are none.
  const first = found.isSearching ? undefined : hits[0];
  const selected = options.find(({ to }) => to === pickedPath) ?? first;
  const idOf = ({ to }: Hit) => `${id}-${options.findIndex((option) => option.to === to)}`;
  const selectedId = selected && idOf(selected);

  function open(to: string): void {
    onClose();
    navigate(to);
  }

  function changeText(typed: string): void {
    setText(typed);
    setPickedPath(undefined);
    setIsEnterPending(false);
  }

  function pick(step: 1 | -1): void {
    const from = selected ? options.indexOf(selected) : step === 1 ? -1 : 0;
    setPickedPath(options.at((from + step) % options.length)?.to);
  }

  function onKeyDown(event: KeyboardEvent): void {
    // During composition these keys belong to the input method.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') pick(1);
    else if (event.key === 'ArrowUp') pick(-1);
    else if (event.key !== 'Enter') return;
    else if (selected) open(selected.to);
    else setIsEnterPending(found.isSearching);
    event.preventDefault();
  }

  const openFirst = useEffectEvent(() => {
    setIsEnterPending(false);
    if (first && !found.failure) open(first.to);
  });
  const isAnswered = isEnterPending && !found.isSearching;
  useEffect(() => {
    if (isAnswered) openFirst();
  }, [isAnswered]);

  useEffect(() => {
    if (selectedId) document.getElementById(selectedId)?.scrollIntoView({ block: 'nearest' });
  }, [selectedId]);

  const option = (hit: Hit) => (
    <Combobox.Option
      key={hit.to}
      id={idOf(hit)}
      value={hit.to}
      selected={hit === selected}
      aria-selected={hit === selected}
      className={classes.option ?? ''}
    >
      <Text dir="auto" lineClamp={1} title={textOf(hit.label)} inherit>
        <MarkedText parts={hit.label} />
      </Text>
      {hit.detail && (
        <Text size="xs" className={classes.detail ?? ''} dir="auto" lineClamp={2}>
          <MarkedText parts={hit.detail} />
        </Text>
      )}
    </Combobox.Option>
  );

  return (
    <Modal
      opened
      onClose={onClose}
      title="Quick search"
      size="lg"
      yOffset="12vh"
      centered={false}
      classNames={{ body: classes.body ?? '' }}
    >
      <Combobox onOptionSubmit={open}>
        <TextInput
          role="combobox"
          aria-label="Quick search"
          aria-expanded
          aria-haspopup="listbox"
          aria-controls={`${id}-list`}
          aria-activedescendant={selectedId}
          autoComplete="off"
          placeholder="Customers, documents, words inside them, screens"
          leftSection={<IconSearch size={18} aria-hidden />}
          rightSection={found.isSearching ? <Loader size={16} /> : <Kbd size="xs">Esc</Kbd>}
          rightSectionWidth={52}
          size="md"
          data-autofocus
          value={text}
          maxLength={200}
          onChange={(event) => changeText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <Combobox.Options id={`${id}-list`} className={classes.options ?? ''} aria-label="Results">
          {found.groups.map((group) => (
            <Combobox.Group key={group.name} label={group.name}>
              {group.hits.map(option)}
            </Combobox.Group>
          ))}
          {found.showAll.map(option)}
        </Combobox.Options>
      </Combobox>
      <Text size="sm" c="dimmed" role="status" mt="sm">
        {messageFor(found)}
      </Text>
    </Modal>
  );
}
