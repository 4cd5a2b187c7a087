import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.FileInputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import weka.core.Attribute;
import weka.core.Instance;
import weka.core.Instances;

/** Prints what Weka's loader makes of ARFF files: a line for each attribute, and one for each row. */
public class Dump {
    static String shown(String text) {
        StringBuilder written = new StringBuilder();
        for (char letter : text.toCharArray()) {
            written.append(String.format("%04x", (int) letter));
        }
        return written.toString();
    }

    static void dump(PrintStream out, Instances data) {
        for (int i = 0; i < data.numAttributes(); i++) {
            Attribute attribute = data.attribute(i);
            out.print("attribute " + attribute.type() + " " + shown(attribute.name()));
            for (int j = 0; attribute.isNominal() && j < attribute.numValues(); j++) {
                out.print(" " + shown(attribute.value(j)));
            }
            out.println();
        }
        for (int r = 0; r < data.numInstances(); r++) {
            Instance row = data.instance(r);
            out.print("row " + row.weight());
            for (int i = 0; i < data.numAttributes(); i++) {
                boolean isText = data.attribute(i).isString() && !row.isMissing(i);
                String value = row.isMissing(i) ? "?" : Double.toString(row.value(i));
                out.print(" " + (isText ? "\"" + shown(row.stringValue(i)) : value));
            }
            out.println();
        }
    }

    public static void main(String[] paths) throws Exception {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String path : paths) {
            out.println("file " + path);
            try (BufferedReader reader = new BufferedReader(
                    new InputStreamReader(new FileInputStream(path), StandardCharsets.UTF_8))) {
                dump(out, new Instances(reader));
            } catch (Exception error) {
                out.println("refused " + error.getMessage());
            }
        }
    }
}
