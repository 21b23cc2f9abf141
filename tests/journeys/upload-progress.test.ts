import type { Page } from '@playwright/test';
import { unique } from './support/api.ts';
import { answerCalls, failure, holdCalls } from './support/calls.ts';
import { chooseFile, makeFile } from './support/files.ts';
import { expect, test } from './support/test.ts';
import {
  customerField,
  expectProgress,
  openUpload,
  progressBar,
  uploadButton,
} from './support/upload-screen.ts';

test.use({ callsMayFail: true });

const minuteMs = 60_000;
const description = (page: Page) => page.getByLabel('Description (optional)');

test('progress rises by 10 every 200 ms up to 90; Cancel and a failure lose nothing', async ({
  adminPage: page,
  api,
}) => {
  const customer = await api.makeCustomer();
  const file = makeFile(`${unique('slow')}.txt`);
  const alert = page.getByRole('alert');
  const expectForm = async () => {
    await expect(progressBar(page)).toHaveCount(0);
    await expect(customerField(page)).toHaveValue(customer.name);
    await expect(page.getByText(file.name, { exact: true })).toBeVisible();
    await expect(description(page)).toHaveValue('Still here');
  };
  const { restore } = await answerCalls(page, 'POST', '/api/documents', failure);
  const failing = await holdCalls(page, '/api/documents');
  await page.clock.install();
  await openUpload(page, customer);
  await chooseFile(page, file);
  await description(page).fill('Still here');
  await expect(uploadButton(page)).toBeEnabled();
  await expectForm();
  // From here on the test advances the page's clock.
  await page.clock.pauseAt(Date.now() + minuteMs);
  await uploadButton(page).click();
  await page.clock.runFor(600);
  await expectProgress(page, 30);
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expectForm();
  await expect(alert).toHaveCount(0);
  await expect(page).toHaveURL(`/documents/upload?customer=${customer.id}`);

  await uploadButton(page).click();
  await expectProgress(page, 0);
  failing.release();
  await expect(alert).toHaveText('Failed to upload document. Please try again.');
  await expectForm();
  await restore();

  const { release } = await holdCalls(page, '/api/documents');
  await uploadButton(page).click();
  await expectProgress(page, 0);
  const another = page.getByRole('button', { name: 'Choose another file' });
  for (const field of [uploadButton(page), customerField(page), description(page), another]) {
    await expect(field).toBeDisabled();
  }
  await page.clock.runFor(199);
  await expectProgress(page, 0);
  await page.clock.runFor(1);
  await expectProgress(page, 10);
  for (const percent of [20, 30, 40, 50, 60, 70, 80, 90]) {
    await page.clock.runFor(200);
    await expectProgress(page, percent);
  }
  await page.clock.runFor(minuteMs);
  await expectProgress(page, 90);
  release();
  await expectProgress(page, 100);
  await page.clock.resume();
  await expect(page).toHaveURL('/documents');
  await expect(page.getByText(`"${file.name}" was uploaded.`)).toBeVisible();
});
