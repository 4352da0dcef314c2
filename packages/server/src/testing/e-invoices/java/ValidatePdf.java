import java.io.FileInputStream;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.PDFAParser;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;
import org.verapdf.pdfa.results.ValidationResult;

/** Validates files as PDF/A-3a with veraPDF. */
public class ValidatePdf {
  public static void main(String[] files) throws Exception {
    VeraGreenfieldFoundryProvider.initialise();
    boolean valid = true;
    for (String file : files)
      try (PDFAParser parser = Foundries.defaultInstance().createParser(new FileInputStream(file), PDFAFlavour.PDFA_3_A)) {
        ValidationResult result = Foundries.defaultInstance().createValidator(PDFAFlavour.PDFA_3_A, false).validate(parser);
        System.out.println(file + ": PDF/A-3a " + (result.isCompliant() ? "valid" : "not valid") + ", " + result.getTotalAssertions() + " checks");
        for (TestAssertion assertion : result.getTestAssertions()) System.out.println("  " + assertion.getRuleId().getClause() + " " + assertion.getMessage());
        valid &= result.isCompliant() && result.getTotalAssertions() > 0;
      }
    System.exit(valid ? 0 : 1);
  }
}
